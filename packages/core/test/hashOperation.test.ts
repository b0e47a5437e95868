import { describe, expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { keccak256 } from "viem"
import { hashOperation } from "../src/adapters.js"
import { Operation } from "../src/index.js"
import { Vectors } from "../src/testing.js"
import { digestOf } from "./reference/evmSigner.js"

const [{ geoOp }] = Vectors.operations

describe("hashOperation", () => {
  it.each([...Vectors.operations, ...Vectors.hostileOperations])("$name: returns the hash of the vector", (vector) => {
    expect(hashOperation(vector.geoOp, keccak256)).toBe(vector.geoOpHash)
  })

  it.prop("returns what viem computes from the EIP-712 types", [Schema.toType(Operation.GeoOp)], ([random]) => {
    const operation = { ...random, chainId: Math.abs(random.chainId), deadline: Math.abs(random.deadline) }
    expect(hashOperation(operation, keccak256)).toBe(digestOf(operation))
  })

  it("ignores the case of addresses", () => {
    const vault = `0x${geoOp.vault.slice(2).toUpperCase()}` as const
    expect(hashOperation({ ...geoOp, vault }, keccak256)).toBe(hashOperation(geoOp, keccak256))
  })

  it.each([
    { amount: 2n ** 256n },
    { amount: -1n },
    { nonce: 2n ** 256n },
    { deadline: -1 },
    { deadline: 0.5 },
    { chainId: -1 }
  ])("throws instead of truncating %o", (fields) => {
    expect(() => hashOperation({ ...geoOp, ...fields }, keccak256)).toThrow(RangeError)
  })
})
