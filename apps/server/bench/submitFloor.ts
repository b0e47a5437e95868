/** The minimum cost of a submit: one recovered signature, as the server recovers it, and one commit. */
import { NodeCrypto } from "@geoswap/server"
import { Recovery } from "@geoswap/service"
import * as Effect from "effect/Effect"
import { Pool } from "pg"
import { hashMessage, parseSignature } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { answer } from "./childProcess.ts"

interface Floor {
  readonly url: string
  readonly count: number
  readonly lanes: number
}

const raw = `0x${"5a".repeat(32)}` as const
const wallet = privateKeyToAccount(`0x${"11".repeat(32)}`)

/** Seconds. */
const run = async ({ count, lanes, url }: Floor): Promise<number> => {
  const pool = new Pool({ connectionString: url, max: 10 })
  await pool.query("CREATE TABLE IF NOT EXISTS floor (id BIGSERIAL PRIMARY KEY, signer TEXT NOT NULL)").catch(() => {})
  const signature = parseSignature(await wallet.signMessage({ message: { raw } }))
  const { recover } = await Effect.runPromise(Effect.provide(Recovery.Recovery, NodeCrypto.layer))
  const begin = performance.now()
  let left = count
  const lane = async () => {
    while (left-- > 0) {
      const signer = await Effect.runPromise(recover(hashMessage({ raw }), signature))
      await pool.query({ name: "floor", text: "INSERT INTO floor (signer) VALUES ($1)", values: [signer] })
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  const seconds = (performance.now() - begin) / 1_000
  await pool.end()
  return seconds
}

answer({ run })
