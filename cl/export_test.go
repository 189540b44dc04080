package cl

// What the tests of package cl_test see of the inside.
var (
	CheckRoom  = checkRoom
	NoLibrary  = noLibrary
	NoPlatform = noPlatform
	NoDevice   = noDevice
)

// The codes that tests expect.
const (
	InvalidValue             = invalidValue
	InvalidDevice            = invalidDevice
	InvalidContext           = invalidContext
	InvalidCommandQueue      = invalidCommandQueue
	InvalidHostPtr           = invalidHostPtr
	InvalidMemObject         = invalidMemObject
	InvalidBinary            = invalidBinary
	InvalidProgram           = invalidProgram
	InvalidProgramExecutable = invalidProgramExecutable
	InvalidKernel            = invalidKernel
	InvalidArgIndex          = invalidArgIndex
	InvalidArgValue          = invalidArgValue
	InvalidKernelArgs        = invalidKernelArgs
	InvalidWorkDimension     = invalidWorkDimension
	InvalidWorkGroupSize     = invalidWorkGroupSize
	InvalidGlobalOffset      = invalidGlobalOffset
	InvalidEventWaitList     = invalidEventWaitList
	InvalidEvent             = invalidEvent
	InvalidBufferSize        = invalidBufferSize
	InvalidGlobalWorkSize    = invalidGlobalWorkSize

	// What only drivers report.
	ProfilingInfoNotAvailable Code = -7
	InvalidKernelName         Code = -46
	InvalidArgSize            Code = -51
)

// DevicesOf are the devices of a type of one platform.
func DevicesOf(p *Platform, t DeviceType) ([]*Device, error) { return p.devices(t) }

// NewError is a refused call, with a detail.
func NewError(call, kernel string, code Code, detail string) error {
	return &Error{Call: call, Kernel: kernel, Code: code, detail: detail}
}

// LoadICD loads a driver without a loader.
func LoadICD(path string) (*icd, error) { return loadICD(path) }

// Platforms are those of a driver.
func (d *icd) Platforms() []uintptr { return d.platforms }

// Has tells whether a platform is the driver's.
func (d *icd) Has(p *Platform) bool { return d.has(p.handle.Load()) }

// More are the platforms of a driver that a loader does not list, which lists that one or, for nil, none.
func More(d *icd, listed *Platform) []uintptr {
	l := &library{icds: []*icd{d}}
	if listed == nil {
		return l.platforms(nil)
	}
	return l.platforms([]uintptr{listed.handle.Load()})
}
