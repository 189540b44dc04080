// Package thresholds lists the runs of a transform with their thresholds: package internal/thresholds has the method.
package thresholds
