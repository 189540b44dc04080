package bitpack

// WithoutLanes is the packer without vector instructions.
func (p *Packer) WithoutLanes() *Packer {
	plain := *p
	plain.lanes = nil
	return &plain
}

// HasLanes tells whether vector instructions pack.
func (p *Packer) HasLanes() bool { return p.lanes != nil }
