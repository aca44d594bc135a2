// Package atpoint calls Atpoint. Copy this file: Go 1.19 or newer is all that it needs.
package atpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Client of a deployment. Public operations need neither APIKey nor Platform.
type Client struct{ BaseURL, APIKey, Platform string }

// Error is a refusal (RFC 9457), or an answer that is none of the contract's; then Code is empty.
type Error struct {
	Code      string `json:"code"`
	Detail    string `json:"detail"`
	RequestID string `json:"requestId"`
	Errors    []struct{ Pointer, Parameter, Detail string }
	Status    int `json:"-"`
}

func (e *Error) Error() string { return fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Detail) }

// A redirect would take the key to another place, and /api/ has none.
var transport = http.Client{
	Timeout:       30 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// Query calls an operation of GET and decodes what it answers.
func (c Client) Query(ctx context.Context, name string, inputs url.Values, answer any) error {
	query := url.Values{"@": {name}}
	for key, values := range inputs {
		query[key] = values
	}
	return c.send(ctx, http.MethodGet, "?"+query.Encode(), nil, answer)
}

// Command calls an operation of POST and decodes what it answers. One without an answer may have happened: look before
// you send it again.
func (c Client) Command(ctx context.Context, name string, data, answer any) error {
	body, err := json.Marshal(map[string]any{"@": name, "data": data})
	if err != nil {
		return err
	}
	return c.send(ctx, http.MethodPost, "", body, answer)
}

func (c Client) send(ctx context.Context, method, query string, body []byte, answer any) error {
	address := strings.TrimRight(c.BaseURL, "/") + "/api/" + query
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	headers := map[string]string{"X-API-KEY": c.APIKey, "X-PLATFORM": c.Platform, "Accept": "application/json"}
	if body != nil {
		headers["Content-Type"] = "application/json"
	}
	for name, value := range headers {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	response, err := transport.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	kind, _, _ := strings.Cut(response.Header.Get("Content-Type"), ";")
	// Of the answers without success some are the operation's own, which its name tells: of test.health.
	if kind == "application/json" && (response.StatusCode < 300 || response.Header.Get("X-Operation") != "") {
		return json.NewDecoder(response.Body).Decode(answer)
	}
	refusal := &Error{Status: response.StatusCode, RequestID: response.Header.Get("X-Request-Id"), Detail: "an unexpected answer"}
	if kind == "application/problem+json" {
		if err := json.NewDecoder(response.Body).Decode(refusal); err != nil {
			return err
		}
	}
	return refusal
}
