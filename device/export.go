package device

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/suffixcl/suffixcl/internal/driver"
)

// fits returns why an archive cannot have programs for the device.
//   - PTX runs by the driver that made it, and by newer ones, on its architecture and on newer ones. Its key has the
//     text of the program, with all that it takes from the device.
//   - Other binaries run on one device, by one driver.
func (b *builder) fits(m *manifest) error {
	c := b.caps
	switch {
	case m.Format != archiveFormat:
		return fmt.Errorf("its format is %d, and this suffixcl reads %d", m.Format, archiveFormat)
	case m.Kernels != kernelDigest():
		return fmt.Errorf("it has other kernels (%s) than this suffixcl (%s)", m.Kernels, kernelDigest())
	case m.Platform != c.Platform:
		return fmt.Errorf("it is for %s of %s, and this is %s of %s", m.Device, m.Platform, c.Name, c.Platform)
	case m.Target != "":
		return comparePTX(m.Driver, m.Target, c)
	case m.Device != c.Name:
		return fmt.Errorf("it is for %s, and this is %s", m.Device, c.Name)
	case m.Driver != c.DriverVersion || m.PlatformVersion != b.platformVersion || m.OpenCL != c.openCLVersion:
		return fmt.Errorf("it is for driver %s (%s), and this is %s (%s)",
			m.Driver, m.PlatformVersion, c.DriverVersion, b.platformVersion)
	}
	return nil
}

// portableKey is the key of a program's PTX: of all that it depends on but device and driver.
func (b *builder) portableKey(text string, resident int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "ptx\x00%s\x00%s\x00%d\x00%s", b.caps.Platform, buildOptions, resident, text))
	return hex.EncodeToString(sum[:])
}

// export writes an archive of the programs that are built, and returns how many these are.
func (s *Session) export(ctx context.Context, w io.Writer) (programs int, err error) {
	b := &s.builder
	if b.caps.Vendor == driver.Oclgrind {
		return 0, errors.New("device: Oclgrind is an interpreter: it has no programs that could be kept")
	}
	files := make(map[string][]byte)
	m := manifest{Format: archiveFormat, Kernels: kernelDigest(), Vendor: b.caps.Vendor, Platform: b.caps.Platform,
		PlatformVersion: b.platformVersion, Device: b.caps.Name, Driver: b.caps.DriverVersion, OpenCL: b.caps.openCLVersion}
	for _, key := range slices.Sorted(maps.Keys(s.programs)) {
		if err := s.Check(ctx); err != nil {
			return 0, err
		}
		p := s.programs[key]
		if p.program == nil {
			continue
		}
		text, err := assemble(b.caps, p.src)
		if err != nil {
			return 0, err
		}
		binary, err := p.program.Binary(b.device)
		if err != nil {
			return 0, fmt.Errorf("device: the binary of %s: %w", p.src.name(), err)
		}
		m.Programs++
		target := ""
		if b.caps.Vendor == driver.NVIDIA {
			target = targetOf(binary)
		}
		if _, _, ok := parseTarget(target); !ok {
			key := b.key(text, p.src.resident)
			files[versionName(key+exactSuffix)] = slices.Concat(checksum(key, binary), binary)
			continue
		}
		if least, _, _ := parseTarget(m.Target); m.Target == "" || capabilityOf(target) < least {
			m.Target = target
		}
		key := b.portableKey(text, p.src.resident)
		binary = slices.Concat([]byte(b.caps.DriverVersion+"\n"), binary)
		files[versionName(key+portableSuffix)] = slices.Concat(checksum(key, binary), binary)
	}
	if m.Programs == 0 {
		return 0, errors.New("device: there are no programs to keep")
	}
	about, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return 0, err
	}
	files[manifestName] = append(about, '\n')
	return m.Programs, writeArchive(ctx, w, files)
}
