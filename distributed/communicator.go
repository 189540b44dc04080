package distributed

import "context"

// Communicator is a group of ranks. All ranks call the same methods in the same order; one goroutine of a rank at a
// time. After an error, or the end of a context, it is of no more use.
type Communicator interface {
	// Rank is the number of this rank, of 0 to Size-1.
	Rank() int
	Size() int
	// Allgatherv puts the data of all ranks one after the other into all: counts[r] bytes of rank r.
	Allgatherv(ctx context.Context, data, all []byte, counts []int) error
	// Alltoallv sends outCounts[r] bytes of data to rank r, and puts inCounts[r] bytes of rank r into all.
	Alltoallv(ctx context.Context, data []byte, outCounts []int, all []byte, inCounts []int) error
	// Shared returns n bytes that all ranks of this node see.
	Shared(ctx context.Context, n int) (Memory, error)
	// Messages opens a way for messages between rank 0 and the others, next to the methods above.
	Messages(ctx context.Context) (Messages, error)
}

// Message is of what ranks tell each other; they say what the numbers mean.
type Message [4]int64

// Messages pass between rank 0 and each of the others, in the order in which they were sent. One goroutine of a rank at
// a time sends, and one receives, while others use the communicator.
type Messages interface {
	// Send sends a message: to a rank on rank 0, to rank 0 on the others.
	Send(ctx context.Context, to int, m Message) error
	// Recv waits for the next message.
	Recv(ctx context.Context) (from int, m Message, err error)
	// Free is called by all ranks.
	Free() error
}

// Memory is shared by the ranks of a node.
type Memory interface {
	Bytes() []byte
	// Leader is the least rank of the node.
	Leader() int
	// Fence waits for the ranks of the node; then each sees what the others have written.
	Fence(ctx context.Context) error
	// Free is called by all ranks of the node.
	Free() error
}
