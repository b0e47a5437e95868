/** For tests: a conformance suite for stores. */
export { ContractViolation } from "@geoswap/core/testing"
export { type StoreCase, storeContract } from "./testing/storeContract.js"
