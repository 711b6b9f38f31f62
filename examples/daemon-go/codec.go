package main

import (
	"google.golang.org/grpc/encoding"
	"google.golang.org/protobuf/proto"
)

// codec encodes the messages of protoc-gen-go. The gRPC module of Debian 12 has a codec only for messages of its predecessor.
type codec struct{}

func (codec) Name() string                        { return "proto" }
func (codec) Marshal(message any) ([]byte, error) { return proto.Marshal(message.(proto.Message)) }
func (codec) Unmarshal(bytes []byte, message any) error {
	return proto.Unmarshal(bytes, message.(proto.Message))
}

func init() { encoding.RegisterCodec(codec{}) }
