// Command daemon-go is a proxy daemon that imports subscriptions from lists of links.
package main

import (
	"context"
	"log"
	"net"
	"os"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "proxydaemon/v1"
)

// network is an imported subscription. If selected is 0, no node is selected.
type network struct {
	nodes    []*pb.ProxySubscriptionNodePreview
	selected int32
}

func (n *network) has(ordinal int32) bool {
	for _, node := range n.nodes {
		if node.Ordinal == ordinal {
			return true
		}
	}
	return false
}

// daemon serves ProxySubscriptions. The id of a network is its place in the list, from 1.
type daemon struct {
	pb.UnimplementedProxySubscriptionsServer
	mutex    sync.Mutex
	networks []*network
}

// find returns the network with an id. The caller holds the mutex.
func (d *daemon) find(id int32) (*network, error) {
	if id < 0 {
		return nil, status.Error(codes.InvalidArgument, "id is negative")
	}
	if id == 0 || int(id) > len(d.networks) {
		return nil, status.Errorf(codes.NotFound, "There is no network with id %d", id)
	}
	return d.networks[id-1], nil
}

func (d *daemon) PreviewImport(ctx context.Context, request *pb.ProxySubscriptionImportRequest) (*pb.ProxySubscriptionPreviewResponse, error) {
	return preview(ctx, request.Url)
}

// ApplyImport creates a network if the id is 0, or else replaces the nodes of one. SelectNode needs it.
func (d *daemon) ApplyImport(ctx context.Context, request *pb.ProxySubscriptionApplyRequest) (*pb.ProxySubscriptionApplyResponse, error) {
	content, err := preview(ctx, request.Url)
	if err != nil {
		return nil, err
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	imported := network{nodes: content.Node, selected: request.SelectedOrdinal}
	target, id := &network{}, request.Id
	if id != 0 {
		if target, err = d.find(id); err != nil {
			return nil, err
		}
	}
	if imported.selected == 0 && imported.has(target.selected) {
		imported.selected = target.selected
	}
	if imported.selected != 0 && !imported.has(imported.selected) {
		return nil, status.Errorf(codes.NotFound, "The subscription has no node with ordinal %d", imported.selected)
	}
	*target = imported
	if id == 0 {
		d.networks = append(d.networks, target)
		id = int32(len(d.networks))
	}
	count := int32(len(imported.nodes))
	return &pb.ProxySubscriptionApplyResponse{Id: id, ImportedCount: count, SelectedOrdinal: imported.selected}, nil
}

func (d *daemon) SelectNode(_ context.Context, request *pb.ProxySubscriptionSelectRequest) (*pb.ProxySubscriptionSelectResponse, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	network, err := d.find(request.Id)
	if err != nil {
		return nil, err
	}
	ordinal := request.SelectedOrdinal
	if ordinal < 0 {
		return nil, status.Error(codes.InvalidArgument, "selected_ordinal is negative")
	}
	if ordinal != 0 && !network.has(ordinal) {
		return nil, status.Errorf(codes.NotFound, "Network %d has no node with ordinal %d", request.Id, ordinal)
	}
	network.selected = ordinal
	return &pb.ProxySubscriptionSelectResponse{Id: request.Id, SelectedOrdinal: ordinal}, nil
}

func main() {
	listener, err := net.Listen(os.Args[1], os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer()
	pb.RegisterProxySubscriptionsServer(server, &daemon{})
	log.Printf("listening on %s", listener.Addr())
	log.Fatal(server.Serve(listener))
}
