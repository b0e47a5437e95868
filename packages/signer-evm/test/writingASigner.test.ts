/** The signers of docs/writing-a-signer.md, extracted from the page: they pass the signer contract. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { PromiseEvmSigner, OperationToSign } from "@geoswap/core/promise"
import { describe, expect, it } from "@effect/vitest"
import { passesContract } from "./signerContract.js"
import { address, privateKey, sign, twin } from "./wallets.js"

const page = readFileSync(new URL("../../../docs/writing-a-signer.md", import.meta.url), "utf8")
const folder = fileURLToPath(new URL(".documented", import.meta.url))

/** The first TypeScript block below a heading. */
const codeUnder = (heading: string): string => {
  const [, chapter] = page.split(`\n## ${heading}\n`)
  const [, code] = /^```ts\n([\s\S]*?)^```$/m.exec(chapter?.split("\n## ")[0] ?? "") ?? []
  if (code === undefined) throw new Error(`writing-a-signer.md has no code under "${heading}"`)
  return code
}

/** Writes code to a module and imports it. Writes only on change, so that vitest in watch mode does not loop. */
const moduleOf = async (name: string, code: string): Promise<unknown> => {
  const file = join(folder, `${name}.ts`)
  mkdirSync(folder, { recursive: true })
  if (!existsSync(file) || readFileSync(file, "utf8") !== code) writeFileSync(file, code)
  return import(/* @vite-ignore */ file)
}

interface Whole {
  readonly evmSigner: (privateKey: `0x${string}`) => PromiseEvmSigner
}
interface Service {
  readonly signOperation: (wallet: string, geoOpHash: `0x${string}`) => Promise<`0x${string}`>
}

const whole = (await moduleOf("wholeSigner", codeUnder("EVM: a complete signer"))) as Whole
const service = (await moduleOf("keyService", codeUnder("EVM: a key service"))) as Service

describe("the documented signer passes the signer contract", () => {
  passesContract((key) => whole.evmSigner(key.privateKey), true, false)
})

describe("the documented key service passes the signer contract", () => {
  let signatures = 0
  // The code declares `kms`. Every other signature has a high s.
  const kms = {
    sign: async (digest: `0x${string}`) => {
      const signature = sign(digest)
      return signatures++ % 2 === 0 ? twin(signature) : signature
    }
  }
  Object.assign(globalThis, { kms })
  const { verifyOperation } = whole.evmSigner(privateKey)
  const signer: PromiseEvmSigner = {
    address,
    capabilities: { authorization: false },
    ...(verifyOperation && { verifyOperation }),
    signOperation: ({ geoOpHash }: OperationToSign) => service.signOperation(address, geoOpHash)
  }
  passesContract(() => signer, false, false)

  it("calls the key service", () => {
    expect(signatures).toBeGreaterThan(2)
  })
})
