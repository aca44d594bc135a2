// Plain JavaScript, since a peer runs as its users would run it, without a loader that maps stacks.
export const port = Number(process.env.PORT);

export const sysinfo = (clientAddress, requestMethod) => ({
  status: "Operational",
  version: "3.0.3",
  server: "Peer",
  runtime: `Node.js ${process.versions.node}`,
  clientAddress,
  requestMethod,
  time: new Date().toISOString(),
});
