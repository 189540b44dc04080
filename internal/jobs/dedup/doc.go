// Package dedup finds passages that occur several times: package duplicates has the method.
package dedup
