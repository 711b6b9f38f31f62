package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "proxydaemon/v1"
)

const maxBytes = 4 << 20

var client = http.Client{Timeout: 3 * time.Second}

// schemes are those of links, and whether the runtime supports them.
var schemes = map[string]bool{"trojan": true, "vless": false, "tuic": false, "hysteria2": false}

// preview fetches a subscription and reads its links.
func preview(ctx context.Context, address string) (*pb.ProxySubscriptionPreviewResponse, error) {
	target, err := url.Parse(address)
	if err != nil || target.Host == "" || (target.Scheme != "http" && target.Scheme != "https") {
		return nil, status.Error(codes.InvalidArgument, "The URL is not an http or https URL")
	}
	body, title, ok := fetch(ctx, target)
	if !ok {
		err := status.Errorf(codes.Unavailable, "The subscription cannot be fetched (%s://%s)", target.Scheme, target.Host)
		log.Print(err)
		return nil, err
	}
	format := "uri-list"
	if decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(body)); err == nil && !strings.Contains(body, "://") {
		body, format = string(decoded), "base64-uri-list"
	}
	if strings.TrimSpace(body) != "" && !strings.Contains(body, "://") {
		return nil, status.Error(codes.FailedPrecondition, "The subscription is not a list of links")
	}
	if title == "" {
		title = target.Hostname()
	}
	reply := &pb.ProxySubscriptionPreviewResponse{SuggestedName: title, DetectedFormat: format}
	for index, link := range strings.Fields(body) {
		node, rejected := readLink(link, int32(index+1))
		if rejected != nil {
			reply.Rejected = append(reply.Rejected, rejected)
		} else {
			reply.Node = append(reply.Node, node)
		}
	}
	reply.CompatibleCount, reply.RejectedCount = int32(len(reply.Node)), int32(len(reply.Rejected))
	if reply.RejectedCount > 0 {
		all := reply.CompatibleCount + reply.RejectedCount
		reply.Warnings = []string{fmt.Sprintf("%d of %d entries were rejected.", reply.RejectedCount, all)}
	}
	return reply, nil
}

// fetch returns the content at a URL and its title. It drops errors, because those of net/http quote the URL, which holds secrets.
func fetch(ctx context.Context, target *url.URL) (body, title string, ok bool) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return "", "", false
	}
	response, err := client.Do(request)
	if err != nil {
		return "", "", false
	}
	defer response.Body.Close()
	bytes, err := io.ReadAll(io.LimitReader(response.Body, maxBytes+1))
	ok = err == nil && response.StatusCode == http.StatusOK && len(bytes) <= maxBytes
	return string(bytes), response.Header.Get("Profile-Title"), ok
}

// readLink reads a link such as trojan://password@host:443#name. It returns either a node or a rejected entry.
func readLink(text string, ordinal int32) (*pb.ProxySubscriptionNodePreview, *pb.ProxySubscriptionRejectedEntry) {
	scheme, _, _ := strings.Cut(text, "://")
	reject := func(reason string) (*pb.ProxySubscriptionNodePreview, *pb.ProxySubscriptionRejectedEntry) {
		return nil, &pb.ProxySubscriptionRejectedEntry{Ordinal: ordinal, Scheme: scheme, Reason: reason}
	}
	supported, known := schemes[scheme]
	if !known {
		return reject("The scheme is not known.")
	}
	link, err := url.Parse(text)
	if err != nil {
		return reject("The entry cannot be read.")
	}
	if link.User.Username() == "" {
		return reject("The password is missing.")
	}
	port, err := strconv.ParseUint(link.Port(), 10, 16)
	if err != nil || port == 0 {
		return reject("The port is not between 1 and 65535.")
	}
	node := &pb.ProxySubscriptionNodePreview{
		Ordinal: ordinal, Name: link.Fragment, Protocol: scheme, Server: link.Hostname(), Port: int32(port),
		RuntimeSupported: supported && !link.Query().Has("type"),
	}
	if !node.RuntimeSupported {
		node.Warnings = []string{fmt.Sprintf("The runtime does not support this kind of %s.", scheme)}
	}
	return node, nil
}
