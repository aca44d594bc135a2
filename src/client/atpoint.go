// Package atpoint calls Atpoint. Copy this file: Go 1.19 or newer is all that it needs.
//
//	client := atpoint.Client{BaseURL: "https://api.example.com", APIKey: key, Platform: "web"}
//	err := client.Call(ctx, "user.create", input, &user, atpoint.IdempotencyKey("5f0c-ada"))
//	err = atpoint.Walk(ctx, client, "user.list", nil, func(user User) error { … })
//
// It does what the TypeScript client does, but inputs and answers have only the types that you give them.
package atpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The defaults of a Client.
const (
	DefaultTimeout = 30 * time.Second
	DefaultRetries = 2
	DefaultMaxWait = 60 * time.Second
)

// The first pause where the response asks for none; each further one is twice as long, and up to twice that by chance.
const backoff = 100 * time.Millisecond

// How many characters of an unexpected body its error shows.
const excerpt = 200

// The names that are called by POST: `npm run generate` writes this line.
var command = regexp.MustCompile(`^(?:user\.create)$`)

// Client of one deployment; BaseURL is without /api/. Public operations need neither APIKey nor Platform.
type Client struct {
	BaseURL, APIKey, Platform string
	// For each attempt of a call; zero is DefaultTimeout. The context bounds the call as a whole.
	Timeout time.Duration
	// How often a call is repeated after a network error, a time-out, 429 or 503: a query (GET), or a command with an
	// IdempotencyKey. Zero is DefaultRetries, a negative number none.
	Retries int
	// For all pauses between the attempts of one call; zero is DefaultMaxWait. A call that would have to wait for longer fails
	// at once.
	MaxWait time.Duration
}

// Kind says why a call failed.
type Kind string

const (
	Problem    Kind = "problem"    // The response is a problem of the contract (RFC 9457).
	Unexpected Kind = "unexpected" // It is none of the contract's: a gateway's page, a redirect, broken JSON.
	Network    Kind = "network"    // There was no complete response.
	Timeout    Kind = "timeout"    // There was no complete response in time.
	Aborted    Kind = "aborted"    // The context of the caller ended.
)

// Fault is one fault of an input.
type Fault struct{ Pointer, Parameter, Detail string }

// Error is the one error of a call. A Problem has a Code, one with the code invalid-input its Errors; Status is there wherever a
// response began, RetryAfter where the response has one.
type Error struct {
	Operation  string
	Kind       Kind
	Code       string
	Status     int
	RequestID  string
	RetryAfter *time.Duration
	Errors     []Fault
	message    string
	cause      error
}

func (e *Error) Error() string { return e.Operation + ": " + e.message }

// Unwrap returns what the network, or the context, has reported.
func (e *Error) Unwrap() error { return e.cause }

type options struct{ accept, idempotencyKey string }

// Option of a single call.
type Option func(*options)

// IdempotencyKey of a command: 1 to 255 visible ASCII characters. With it a command is retried as a query is, and happens once.
func IdempotencyKey(key string) Option { return func(o *options) { o.idempotencyKey = key } }

// Accept another representation than JSON: the answer is then a *string.
func Accept(mediaType string) Option { return func(o *options) { o.accept = mediaType } }

// Call calls an operation and decodes its JSON into answer. It returns an *Error; arguments that no request can hold are
// another error, and nothing is sent. The input is a struct or a map; what is nil in it is left out of a query.
func (c Client) Call(ctx context.Context, name string, input, answer any, more ...Option) error {
	given := options{accept: "application/json"}
	for _, option := range more {
		option(&given)
	}
	if _, isText := answer.(*string); !isText && given.accept != "application/json" {
		return fmt.Errorf("atpoint: of %s the answer is a *string", given.accept)
	}
	headers := map[string]string{"Accept": given.accept, "X-API-KEY": c.APIKey, "X-PLATFORM": c.Platform}
	address, method, body := strings.TrimRight(c.BaseURL, "/")+"/api/", http.MethodGet, []byte(nil)
	members, err := membersOf(input)
	if err != nil {
		return err
	}
	isCommand := command.MatchString(name)
	if isCommand {
		method, headers["Content-Type"], headers["Idempotency-Key"] = http.MethodPost, "application/json", given.idempotencyKey
		if body, err = json.Marshal(map[string]any{"@": name, "data": members}); err != nil {
			return err
		}
	} else {
		address += "?" + queryOf(name, members).Encode()
	}
	request, err := http.NewRequest(method, address, nil)
	if err != nil || request.URL.Host == "" {
		return fmt.Errorf("atpoint: %s is no address such as https://api.example.com", c.BaseURL)
	}
	for header, value := range headers {
		if strings.IndexFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) >= 0 {
			return fmt.Errorf("atpoint: %s has a character that cannot be sent", header)
		}
		if value != "" {
			request.Header.Set(header, value)
		}
	}
	// Before Go 1.20 all processes have the same numbers unless they are seeded.
	chance, waited := rand.New(rand.NewSource(time.Now().UnixNano())), time.Duration(0)
	for tried := 0; ; tried++ {
		failure := c.attempt(ctx, request, body, name, given.accept, answer)
		if failure == nil {
			return nil
		}
		wait := time.Duration(float64(backoff) * math.Pow(2, float64(tried)) * (1 + chance.Float64()))
		if failure.RetryAfter != nil {
			wait = *failure.RetryAfter
		}
		waited += wait
		// A command without a response may have happened: without an idempotency key it is never sent twice.
		again := !isCommand || given.idempotencyKey != ""
		if !again || tried >= or(c.Retries, DefaultRetries) || waited > or(c.MaxWait, DefaultMaxWait) || !failure.isPassing() {
			return failure
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done(): // The next attempt then fails at once.
		}
	}
}

// Walk calls each with every item of a list, beginning at the cursor of the input, with one call for each page. It returns an
// *Error, or the error of each.
func Walk[Item any](ctx context.Context, c Client, name string, input any, each func(Item) error) error {
	members, err := membersOf(input)
	if err != nil {
		return err
	}
	for {
		var page struct {
			Items      *[]Item
			NextCursor string
		}
		if err := c.Call(ctx, name, members, &page); err != nil {
			return err
		}
		if page.Items == nil {
			return &Error{Operation: name, Kind: Unexpected, message: "unexpected response: a page without items"}
		}
		for _, item := range *page.Items {
			if err := each(item); err != nil {
				return err
			}
		}
		if page.NextCursor == "" {
			return nil
		}
		members["cursor"] = page.NextCursor
	}
}

func (c Client) attempt(ctx context.Context, request *http.Request, body []byte, name, accept string, answer any) *Error {
	inTime, cancel := context.WithTimeout(ctx, or(c.Timeout, DefaultTimeout))
	defer cancel()
	sent := request.Clone(inTime)
	if body != nil {
		sent.Body, sent.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
	lost := func(status int, cause error) *Error {
		kind, message := Network, "no complete response"
		if ctx.Err() != nil {
			kind, message = Aborted, "aborted"
		} else if inTime.Err() != nil {
			kind, message = Timeout, "no complete response in time"
		}
		return &Error{Operation: name, Kind: kind, Status: status, message: message, cause: cause}
	}
	// Not by http.Client, which follows redirects: one could send the key to another origin, and /api/ has none.
	response, err := http.DefaultTransport.RoundTrip(sent)
	if err != nil {
		return lost(0, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return lost(response.StatusCode, err)
	}
	return read(name, accept, response, text, answer)
}

// Decodes the answer, or says what the response is instead.
func read(name, accept string, response *http.Response, text []byte, answer any) *Error {
	status, headers := response.StatusCode, response.Header
	mediaType, _, _ := strings.Cut(headers.Get("Content-Type"), ";")
	failure := &Error{Operation: name, Status: status, RequestID: headers.Get("X-Request-Id"), RetryAfter: retryAfter(headers)}
	// Some answers without success are the operation's own, which X-Operation shows; others come from a proxy.
	if mediaType == accept && (status >= 200 && status < 300 || headers.Get("X-Operation") != "") {
		if whole, isText := answer.(*string); isText && accept != "application/json" {
			*whole = string(text)
			return nil
		}
		if failure.cause = json.Unmarshal(text, answer); failure.cause == nil {
			return nil
		}
	}
	var problem struct {
		Code, Detail string
		Errors       []Fault
	}
	if mediaType == "application/problem+json" && json.Unmarshal(text, &problem) == nil && problem.Code != "" {
		failure.Kind, failure.Code, failure.Errors = Problem, problem.Code, problem.Errors
		failure.message = problem.Code + ": " + problem.Detail
		return failure
	}
	seen := []string{"unexpected response:", strconv.Itoa(status)}
	if mediaType != "" {
		seen = append(seen, mediaType)
	}
	if location := headers.Get("Location"); location != "" {
		seen = append(seen, "to "+location)
	}
	if characters := []rune(string(text)); len(characters) > excerpt {
		seen = append(seen, string(characters[:excerpt]))
	} else if len(characters) > 0 {
		seen = append(seen, string(characters))
	}
	failure.Kind, failure.message = Unexpected, strings.Join(seen, " ")
	return failure
}

func (e *Error) isPassing() bool {
	return e.Kind == Network || e.Kind == Timeout || e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable
}

var digits = regexp.MustCompile(`^[0-9]+$`)

// The header has seconds, or a date (RFC 9110, 10.2.3).
func retryAfter(headers http.Header) *time.Duration {
	text, wait := headers.Get("Retry-After"), time.Duration(0)
	if digits.MatchString(text) {
		seconds, _ := strconv.ParseFloat(text, 64)
		// As much as fits, and half of that, so that a sum of waits does too.
		wait = time.Duration(math.Min(seconds*float64(time.Second), math.MaxInt64/2))
	} else if date, err := http.ParseTime(text); err != nil {
		return nil
	} else if until := time.Until(date); until > 0 {
		wait = until
	}
	return &wait
}

// What JSON makes of an input, as a map of its own.
func membersOf(input any) (map[string]any, error) {
	members := map[string]any{}
	text, err := json.Marshal(input)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&members); err != nil {
		return nil, fmt.Errorf("atpoint: an input is a struct or a map: %w", err)
	}
	if members == nil {
		members = map[string]any{}
	}
	return members, nil
}

func queryOf(name string, members map[string]any) url.Values {
	query := url.Values{"@": {name}}
	for member, value := range members {
		if value != nil {
			query.Set(member, textOf(value))
		}
	}
	return query
}

// A list is one value, separated by commas (D2).
func textOf(value any) string {
	list, isList := value.([]any)
	if !isList {
		return fmt.Sprint(value)
	}
	texts := make([]string, len(list))
	for i, each := range list {
		texts[i] = textOf(each)
	}
	return strings.Join(texts, ",")
}

func or[Value int | time.Duration](given, otherwise Value) Value {
	if given == 0 {
		return otherwise
	}
	return given
}
