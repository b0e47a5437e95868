/** A conformance suite for testing stores. */
export { ContractViolation } from "@geoswap/core/testing"
export { type StoreCase, storeContract } from "./testing/storeContract.js"
