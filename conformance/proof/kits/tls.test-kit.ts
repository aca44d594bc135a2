import { readFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import tls from "node:tls";
import { file } from "../../cli/command.test-kit.ts";
import { launchProgram } from "./process.test-kit.ts";
import { listen } from "./server.test-kit.ts";

/** A self-signed certificate, and its key, as PEM files. */
export async function selfSigned() {
  const key = file("key.pem");
  const certificate = path.join(path.dirname(key), "certificate.pem");
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "1"];
  const files = ["-keyout", key, "-out", certificate];
  await launchProgram("openssl", ["req", "-x509", ...curve, ...name, ...files]).ended;
  return { certificate, key };
}

/**
 * Accepts TLS connections and passes their bytes to a server; `client`: the certificate that a
 * caller must present.
 */
export async function serveTls(to: string, client?: string) {
  const { key, certificate } = await selfSigned();
  const asks =
    client === undefined
      ? {}
      : { requestCert: true, rejectUnauthorized: true, ca: readFileSync(client) };
  const { port } = new URL(to);
  const server = tls.createServer(
    { key: readFileSync(key), cert: readFileSync(certificate), ...asks },
    (socket) => {
      const inner = net.connect(Number(port), "127.0.0.1");
      for (const connection of [socket, inner]) connection.on("error", () => {});
      socket.pipe(inner).pipe(socket);
    },
  );
  return { url: (await listen(server)).replace("http:", "https:"), certificate };
}
