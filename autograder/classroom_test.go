package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// A composeFile is what compose.yaml may have: what is not here is a mistake, or new.
type composeFile struct {
	Services map[string]composeService `yaml:"services"`
	Volumes  map[string]*struct{}      `yaml:"volumes"`
}

type composeService struct {
	Build struct {
		Context    string `yaml:"context"`
		Dockerfile string `yaml:"dockerfile"`
	} `yaml:"build"`
	Image       string   `yaml:"image"`
	NetworkMode string   `yaml:"network_mode"`
	ReadOnly    bool     `yaml:"read_only"`
	CapDrop     []string `yaml:"cap_drop"`
	SecurityOpt []string `yaml:"security_opt"`
	PidsLimit   int      `yaml:"pids_limit"`
	MemLimit    string   `yaml:"mem_limit"`
	MemSwap     string   `yaml:"memswap_limit"`
	CPUs        float64  `yaml:"cpus"`
	Tmpfs       []string `yaml:"tmpfs"`
	Volumes     []string `yaml:"volumes"`
	Command     []string `yaml:"command"`
}

// readCompose reads compose.yaml, strictly.
func readCompose(t *testing.T) (c composeFile) {
	t.Helper()
	f, err := os.Open("../classroom/compose.yaml")
	require.NoError(t, err)
	defer f.Close()
	decoder := yaml.NewDecoder(f)
	decoder.KnownFields(true)
	require.NoError(t, decoder.Decode(&c))
	return c
}
