//go:build ignore

// This program prints the fields of those types of Kubernetes' API that a plan uses: the file
// kubernetes.txt beside it. The types themselves are not linked into a test of this module, which
// would double the number of modules that it needs, and take a minute to compile. To make the file
// anew, in an empty folder:
//
//	go mod init kubernetesfields
//	cp .../autograder/class/testdata/kubernetes.go .
//	go get k8s.io/api@v0.37.2
//	go run kubernetes.go > .../autograder/class/testdata/kubernetes.txt
//
// With the name of a plan's file, it reads that strictly into the types themselves.
package main

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

var kinds = map[string]func() any{
	"Job":                   func() any { return new(batchv1.Job) },
	"NetworkPolicy":         func() any { return new(networkingv1.NetworkPolicy) },
	"PersistentVolumeClaim": func() any { return new(corev1.PersistentVolumeClaim) },
}

var types = []any{
	batchv1.Job{}, batchv1.JobSpec{}, metav1.ObjectMeta{}, metav1.LabelSelector{},
	networkingv1.NetworkPolicy{}, networkingv1.NetworkPolicySpec{},
	corev1.PersistentVolumeClaim{}, corev1.PersistentVolumeClaimSpec{}, corev1.VolumeResourceRequirements{},
	corev1.PodTemplateSpec{}, corev1.PodSpec{}, corev1.PodSecurityContext{}, corev1.SeccompProfile{},
	corev1.Container{}, corev1.EnvVar{}, corev1.SecurityContext{}, corev1.Capabilities{}, corev1.ResourceRequirements{}, corev1.VolumeMount{},
	corev1.Volume{}, corev1.PersistentVolumeClaimVolumeSource{}, corev1.EmptyDirVolumeSource{},
}

func main() {
	if len(os.Args) > 1 {
		if err := read(os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	for _, value := range types {
		t := reflect.TypeOf(value)
		fmt.Println(t.Name())
		for _, line := range fields(t) {
			fmt.Println("\t" + line)
		}
	}
}

// fields are the names in YAML of a struct's fields, and what they hold.
func fields(t reflect.Type) []string {
	var all []string
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" && (f.Anonymous || strings.Contains(options, "inline")) {
			all = append(all, fields(f.Type)...)
		} else if name != "-" {
			all = append(all, name+" "+holds(f.Type))
		}
	}
	slices.Sort(all)
	return all
}

// holds is how kubernetes.txt calls a type.
func holds(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[resource.Quantity]():
		return "quantity"
	case t.Kind() == reflect.Pointer:
		return holds(t.Elem())
	case t.Kind() == reflect.Slice:
		return "[]" + holds(t.Elem())
	case t.Kind() == reflect.Map:
		return "map " + holds(t.Elem())
	case t.Kind() == reflect.Struct:
		return t.Name()
	case strings.HasPrefix(t.Kind().String(), "int"):
		return "int"
	}
	return t.Kind().String()
}

// read reads the documents of a file.
func read(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	for _, document := range bytes.Split(text, []byte("\n---\n")) {
		var head metav1.TypeMeta
		if err := yaml.Unmarshal(document, &head); err != nil {
			return err
		}
		if kinds[head.Kind] == nil {
			return fmt.Errorf("there is no kind %q", head.Kind)
		}
		if err := yaml.UnmarshalStrict(document, kinds[head.Kind]()); err != nil {
			return fmt.Errorf("%s: %w", head.Kind, err)
		}
	}
	return nil
}
