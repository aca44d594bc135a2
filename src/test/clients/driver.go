// Reads a call a line, as cases.ts has it, and prints what comes of it. The first line that it prints has the defaults.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"time"

	"try/atpoint"
)

type object map[string]any

type given struct {
	BaseURL, Key, Platform string
	TimeoutMs              time.Duration
	Call                   struct {
		Name, Accept, IdempotencyKey string
		Input                        object
		Walk                         bool
		Retries                      *int
		MaxWaitMs                    time.Duration
		AbortAfterMs                 *time.Duration
	}
}

func outcome(given given) object {
	call, found, ctx := given.Call, object{}, context.Background()
	client := atpoint.Client{BaseURL: given.BaseURL, APIKey: given.Key, Platform: given.Platform}
	client.Timeout, client.MaxWait = given.TimeoutMs*time.Millisecond, call.MaxWaitMs*time.Millisecond
	if call.Retries != nil {
		client.Retries = *call.Retries
		if client.Retries == 0 {
			client.Retries = -1
		}
	}
	if call.AbortAfterMs != nil {
		limited, cancel := context.WithTimeout(ctx, *call.AbortAfterMs*time.Millisecond)
		defer cancel()
		ctx = limited
	}
	var err error
	if call.Walk {
		items := []any{}
		err = atpoint.Walk(ctx, client, call.Name, call.Input, func(item any) error {
			items = append(items, item)
			return nil
		})
		found["items"] = items
	} else if call.Accept != "" {
		var text string
		err = client.Call(ctx, call.Name, call.Input, &text, atpoint.Accept(call.Accept))
		found["answer"] = text
	} else {
		var answer any
		err = client.Call(ctx, call.Name, call.Input, &answer, atpoint.IdempotencyKey(call.IdempotencyKey))
		found["answer"] = answer
	}
	if err == nil {
		return found
	}
	delete(found, "answer")
	var failure *atpoint.Error
	if !errors.As(err, &failure) {
		found["raised"] = err.Error()
		return found
	}
	said := object{"operation": failure.Operation, "kind": failure.Kind, "message": failure.Error()}
	for name, value := range map[string]string{"code": failure.Code, "requestId": failure.RequestID} {
		if value != "" {
			said[name] = value
		}
	}
	if failure.Status != 0 {
		said["status"] = failure.Status
	}
	if failure.RetryAfter != nil {
		said["retryAfterMs"] = failure.RetryAfter.Milliseconds()
	}
	if failure.Errors != nil {
		faults := []object{}
		for _, fault := range failure.Errors {
			faults = append(faults, object{"parameter": fault.Parameter, "detail": fault.Detail})
		}
		said["errors"] = faults
	}
	found["error"] = said
	return found
}

func main() {
	lines, output := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	output.Encode(object{
		"timeoutMs": atpoint.DefaultTimeout.Milliseconds(),
		"retries":   atpoint.DefaultRetries,
		"maxWaitMs": atpoint.DefaultMaxWait.Milliseconds(),
	})
	for lines.Scan() {
		var call given
		if err := json.Unmarshal(lines.Bytes(), &call); err != nil {
			panic(err)
		}
		output.Encode(outcome(call))
	}
}
