import { describe, expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { Delegation } from "../src/index.js"
import { decoded, refuses, survivesTheWire } from "./roundTrip.js"

const target = "0x9a1fc8c0369d49f3040bf49c1490e7006657ea56"
const word = `0x${"ab".repeat(32)}`
const read = (wire: unknown) => decoded(Delegation.Delegation, wire)

describe("the models of a delegation", () => {
  survivesTheWire("delegation", Delegation.Delegation)
  survivesTheWire("authorization", Delegation.Authorization)
})

describe("a delegation", () => {
  it("of a delegated wallet needs no other fields", () => {
    expect(read({ delegated: true })).toStrictEqual({ delegated: true })
    expect(refuses(Delegation.Delegation, {})).toBe(true)
    expect(refuses(Delegation.Delegation, { delegated: "true" })).toBe(true)
    expect(refuses(Delegation.Delegation, { delegated: null })).toBe(true)
  })

  it("has the two fields to sign", () => {
    const wire = {
      chainId: 8453,
      walletAddress: target,
      delegated: false,
      originReady: false,
      delegationTarget: target,
      accountNonce: 7
    }
    expect(read(wire)).toStrictEqual(wire)
  })

  it.each([["delegationTarget"], ["contractAddress"], ["address"]])("may call the target %s", (name) => {
    expect(read({ delegated: false, [name]: target.toUpperCase().replace("X", "x") })).toStrictEqual({
      delegated: false,
      delegationTarget: target
    })
  })

  it.each([["accountNonce"], ["nonce"]])("may call the nonce %s", (name) => {
    for (const nonce of [7, "7", "0x7", "0x07"]) {
      expect(read({ delegated: false, [name]: nonce })).toStrictEqual({ delegated: false, accountNonce: 7 })
    }
  })

  it("prefers the name of the protocol if a field has two", () => {
    const other = `0x${"11".repeat(20)}`
    const both = read({ delegated: false, delegationTarget: target, address: other, accountNonce: 0, nonce: 9 })
    expect(both).toStrictEqual({
      delegated: false,
      delegationTarget: target,
      address: other,
      accountNonce: 0,
      nonce: 9
    })
  })

  it("prefers contractAddress to address, which could be the wallet", () => {
    const other = `0x${"11".repeat(20)}`
    expect(read({ delegated: false, address: other, contractAddress: target }).delegationTarget).toBe(target)
  })

  it("uses the next name if one is null", () => {
    expect(read({ delegated: false, contractAddress: null, address: target }).delegationTarget).toBe(target)
    expect("delegationTarget" in read({ delegated: false, contractAddress: null })).toBe(false)
  })

  it("uses the other name if that of the protocol is null", () => {
    expect(read({ delegated: false, delegationTarget: null, address: target, accountNonce: null, nonce: 0 })).toEqual({
      delegated: false,
      delegationTarget: target,
      accountNonce: 0
    })
  })

  it("ignores the address of a wallet that has nothing to sign", () => {
    const wallet = "GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB"
    expect(read({ delegated: true, address: wallet })).toMatchObject({ delegated: true })
  })

  it.each([[-1], [1.5], ["-1"], ["seven"], ["0x"], ["0xg"], [""], [2 ** 53], ["9007199254740993"], [true], [[7]]])(
    "has no nonce such as %j",
    (accountNonce) => {
      expect(refuses(Delegation.Delegation, { delegated: false, accountNonce })).toBe(true)
    }
  )

  it("accepts the largest safe nonce and chain id", () => {
    const chainId = Number.MAX_SAFE_INTEGER
    expect(read({ delegated: true, chainId: `${chainId}`, accountNonce: "0xfffffffffffff" })).toMatchObject({
      chainId,
      accountNonce: 2 ** 52 - 1
    })
  })

  it("keeps unknown fields when it is decoded and encoded", () => {
    const wire = { delegated: true, provider: { name: "p" }, since: null }
    expect(Schema.encodeSync(Delegation.Delegation)(read(wire))).toStrictEqual(wire)
  })

  it("ignores a __proto__ of the service", () => {
    const state = read(JSON.parse(`{"delegated":false,"__proto__":{"delegationTarget":"${target}","nonce":1}}`))
    expect([state.delegationTarget, state.accountNonce]).toStrictEqual([undefined, undefined])
  })
})

describe("an authorization", () => {
  const signed = { chainId: 8453, address: target, nonce: 0, yParity: 1, r: word, s: word }

  it("is encoded with numbers and lower-case hex", () => {
    const read = decoded(Delegation.Authorization, {
      ...signed,
      chainId: "0x2105",
      nonce: "0x0",
      r: word.toUpperCase().slice(2)
    })
    expect(Schema.encodeSync(Delegation.Authorization)(read)).toStrictEqual(signed)
  })

  it.each([
    ["yParity", 2],
    ["yParity", "1"],
    ["yParity", 27],
    ["r", word.slice(0, -2)],
    ["s", `${word}00`],
    ["address", word],
    ["nonce", -1],
    ["chainId", null]
  ])("is invalid with %s %j", (field, value) => {
    expect(refuses(Delegation.Authorization, signed)).toBe(false)
    expect(refuses(Delegation.Authorization, { ...signed, [field]: value })).toBe(true)
  })
})
