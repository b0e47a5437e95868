/** Finds and opens the user's keys. The code for each chain family is loaded only when needed. */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { Chain } from "@geoswap/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Prompts from "../terminal/Prompts.js"
import { checksumProblem } from "../chains/addressProblem.js"
import { Host, variable } from "../node/Host.js"
import { FileProblem, readSecret, describeFileError } from "../node/secretFile.js"
import { macKeysOf } from "../agent/mac.js"
import { Failure } from "../output/Exit.js"
import { Output } from "../output/Output.js"
import { parseEvmKey, parseSolanaKey } from "./parseKey.js"
import { decrypt, KeyError, parse } from "./Keystore.js"
import { Settings } from "../config/Settings.js"
import {
  describeSource,
  familyName,
  findWallet,
  namedKey,
  type Source,
  sourceOf,
  userKeys,
  variables
} from "./KeySource.js"

export { KeyError } from "./Keystore.js"
export { describeSource, familyName, sourceOf, variables } from "./KeySource.js"

const fail = (message: string, next: string) => new KeyError({ message, next })

/**
 * Where a keystore's password may come from. `typed`: only from a person at a terminal, never from the environment or a
 * file, for what a program that can sign must not be able to do.
 */
export const PasswordSource = Context.Reference<"any" | "typed">("@geoswap/cli/PasswordSource", {
  defaultValue: () => "any"
})

const typedPassword = Effect.fnUntraced(function* (path: string) {
  const { interactive } = yield* Output
  const next = "Run the command in a terminal. GEOSWAP_KEYSTORE_PASSWORD and password files are not accepted here."
  if (!interactive) {
    return yield* new Failure({
      message: "The password of the keystore must be typed at a terminal, and no interactive terminal is available.",
      next
    })
  }
  return yield* Prompts.secret(`Password for ${path}`, next)
})

/** Reads the keystore password from the environment, from a file, or from a prompt. */
const password = (path: string) =>
  Effect.gen(function* () {
    const host = yield* Host
    if ((yield* PasswordSource) === "typed") return yield* typedPassword(path)
    const fromEnvironment = variable(host, "GEOSWAP_KEYSTORE_PASSWORD")
    if (fromEnvironment !== undefined) return Redacted.make(fromEnvironment, { label: "password" })
    const file = variable(host, "GEOSWAP_KEYSTORE_PASSWORD_FILE")
    if (file !== undefined) {
      const bytes = yield* readSecret(resolve(host.folder, file), "The password")
      // Editors add a final newline that is not part of the password.
      return Redacted.make(new TextDecoder().decode(bytes).replace(/\r?\n$/, ""), { label: "password" })
    }
    return yield* Prompts.secret(
      `Password for ${path}`,
      "Set GEOSWAP_KEYSTORE_PASSWORD or GEOSWAP_KEYSTORE_PASSWORD_FILE."
    )
  })

/** Reads a keystore. A keystore is encrypted, so the mode of its file is not checked. */
export const readKeystore = (path: string) =>
  Effect.flatMap(
    Effect.try({
      try: () => readFileSync(path, "utf8"),
      catch: (cause) =>
        new FileProblem({
          message: `The keystore ${path} cannot be read: ${describeFileError(cause)}.`,
          next: "Choose another one with geoswap init."
        })
    }),
    (text) => parse(text, path)
  )

const readKey = Effect.fnUntraced(function* (source: Exclude<Source, { kind: "keystore" }>) {
  const host = yield* Host
  switch (source.kind) {
    case "devnet":
      return source.wallet.privateKey
    case "file":
      return Redacted.make(new TextDecoder().decode(yield* readSecret(source.path, "The key")))
    case "environment": {
      const text = variable(host, source.variable)
      return text === undefined
        ? yield* fail(`The environment variable ${source.variable} is not set.`, "Set it, or use another key.")
        : Redacted.make(text)
    }
  }
})

/** Returns the bytes of an EVM key. The caller must wipe them. */
const evmBytes = Effect.fnUntraced(function* (source: Source) {
  if (source.kind === "keystore") {
    const keystore = yield* readKeystore(source.path)
    return yield* decrypt(keystore, yield* password(source.path))
  }
  const bytes = parseEvmKey(Redacted.value(yield* readKey(source)))
  return (
    bytes ??
    (yield* fail(`There is no EVM key in ${describeSource(source)}.`, "Expected 0x followed by 64 hex digits."))
  )
})

const invalidWallet = Effect.fnUntraced(function* (wallet: string) {
  const problem = checksumProblem(wallet)
  if (problem !== undefined) return fail(`--wallet is not an address: ${problem.what}`, problem.next)
  const names = (yield* userKeys).map(({ name }) => name)
  return fail(
    "--wallet is neither an address nor the name of one of your keys.",
    names.length === 0 ? "Add a key with geoswap keys add <name>." : `Your keys: ${names.join(", ")}`
  )
})

/** Checks that the key belongs to the address in `--wallet`, so that no other key is used to sign. */
const checkWallet = Effect.fnUntraced(function* (family: Chain.Family, address: string) {
  const { devnetFile, wallet } = yield* Settings
  if (devnetFile !== undefined || wallet === undefined) return
  if (Chain.isAddress(family, wallet)) {
    if (Chain.sameAddress(family, wallet, address)) return
    return yield* fail(
      `The key belongs to a different wallet: expected ${wallet} (--wallet), got ${address}.`,
      "Use the key for that wallet."
    )
  }
  const isOther = Chain.isAddress("evm", wallet) || Chain.isAddress("solana", wallet)
  if (!isOther && (yield* namedKey(wallet)) === undefined) return yield* yield* invalidWallet(wallet)
})

/** Creates a viem account from the bytes of a key. */
const accountOf = (bytes: Uint8Array, source: Source) =>
  Effect.tryPromise({
    try: async () => {
      const { privateKeyToAccount } = await import("viem/accounts")
      return privateKeyToAccount(`0x${Buffer.from(bytes).toString("hex")}`)
    },
    catch: () =>
      fail(
        `There is no EVM key in ${describeSource(source)}.`,
        "Expected a secp256k1 key: 0x followed by 64 hex digits."
      )
  })

/** Opens an EVM key as a viem account. */
export const openEvm = Effect.fnUntraced(function* (source: Source) {
  const bytes = yield* evmBytes(source)
  const account = yield* accountOf(bytes, source)
  const macKeys = macKeysOf(bytes)
  bytes.fill(0)
  return { account, address: account.address, source, macKeys }
})

/** Returns the bytes of a Solana key. The caller must wipe them. */
const solanaBytes = Effect.fnUntraced(function* (source: Source) {
  const bytes = source.kind === "keystore" ? undefined : parseSolanaKey(Redacted.value(yield* readKey(source)))
  return bytes ?? (yield* noSolanaKey(source))
})

const noSolanaKey = (source: Source) =>
  fail(
    `There is no Solana key in ${describeSource(source)}.`,
    "Expected 64 bytes in base58, or the byte array that solana-keygen writes."
  )

/** Opens a Solana key as a WebCrypto key pair that cannot be exported. */
export const openSolana = Effect.fnUntraced(function* (source: Source) {
  const bytes = yield* solanaBytes(source)
  const opened = yield* Effect.tryPromise({
    try: async () => {
      const { createKeyPairFromBytes, getAddressFromPublicKey } = await import("@solana/kit")
      const keyPair = await createKeyPairFromBytes(bytes)
      return { keyPair, address: await getAddressFromPublicKey(keyPair.publicKey) }
    },
    catch: () => noSolanaKey(source)
  })
  const macKeys = macKeysOf(bytes)
  bytes.fill(0)
  return { ...opened, source, macKeys }
})

/**
 * Returns the address that belongs to a key source, without asking for a password. Returns `undefined` if the address
 * cannot be determined without the password.
 */
export const addressOfSource = Effect.fnUntraced(function* (family: Chain.Family, source: Source) {
  if (source.kind === "devnet") return source.wallet.address
  if (source.kind !== "keystore") {
    return family === "evm" ? (yield* openEvm(source)).address : (yield* openSolana(source)).address
  }
  const { address } = yield* readKeystore(source.path)
  const hex = `0x${(address ?? "").replace(/^0x/, "")}`
  return Chain.isAddress("evm", hex) ? hex : undefined
})

/** Returns the source of the key that has the address in `--wallet`, if one of the user's keys has it. */
const sourceOfAddress = Effect.fnUntraced(function* (family: Chain.Family, wallet: string) {
  for (const { kind, source } of yield* userKeys) {
    if (kind !== family) continue
    const address = yield* Effect.orElseSucceed(addressOfSource(family, source), () => undefined)
    if (address !== undefined && Chain.sameAddress(family, address, wallet)) return source
  }
  return undefined
})

/** Returns the source of the key that pays for a chain family. Fails if there is none. */
export const requiredSource = Effect.fnUntraced(function* (family: Chain.Family) {
  const { devnetFile, wallet } = yield* Settings
  const byAddress =
    devnetFile === undefined && wallet !== undefined && Chain.isAddress(family, wallet)
      ? yield* sourceOfAddress(family, wallet)
      : undefined
  const source = byAddress ?? (yield* sourceOf(family))
  return (
    source ??
    (yield* fail(
      `There is no key for ${familyName[family]} chains.`,
      `Set ${variables[family]}, add a key with geoswap keys add <name>, or use a devnet with --devnet.`
    ))
  )
})

/** Opens the EVM key as a viem account. */
export const evm = Effect.gen(function* () {
  const opened = yield* openEvm(yield* requiredSource("evm"))
  yield* checkWallet("evm", opened.address)
  return opened
}).pipe(Effect.withSpan("Keys.evm"))

/** Opens the Solana key as a WebCrypto key pair that cannot be exported. */
export const solana = Effect.gen(function* () {
  const opened = yield* openSolana(yield* requiredSource("solana"))
  yield* checkWallet("solana", opened.address)
  return opened
}).pipe(Effect.withSpan("Keys.solana"))

/**
 * Returns the private key of a source, for `geoswap keys export` only: hex for an EVM key, base58 for a Solana key, and
 * the key's address.
 */
export const exportKey = Effect.fnUntraced(function* (family: Chain.Family, source: Source) {
  if (family === "evm") {
    const bytes = yield* evmBytes(source)
    const { address } = yield* accountOf(bytes, source)
    const text = `0x${Buffer.from(bytes).toString("hex")}`
    bytes.fill(0)
    return { address, privateKey: Redacted.make(text, { label: "private key" }) }
  }
  const { address } = yield* openSolana(source)
  const bytes = yield* solanaBytes(source)
  const { getBase58Decoder } = yield* Effect.promise(() => import("@solana/kit"))
  const text = getBase58Decoder().decode(bytes)
  bytes.fill(0)
  return { address, privateKey: Redacted.make(text, { label: "private key" }) }
})

/**
 * Returns the address in `--wallet`. Returns `{ address: undefined }` if that wallet belongs to the other chain family.
 */
const namedAddress = Effect.fnUntraced(function* (family: Chain.Family) {
  const { devnetFile, wallet, wallets } = yield* Settings
  if (wallet === undefined) return undefined
  if (devnetFile !== undefined) {
    const named = findWallet(wallets, wallet)
    // An unknown wallet causes an error later, when its key is opened.
    return named === undefined || named.kind === family ? undefined : { address: undefined }
  }
  if (Chain.isAddress(family, wallet)) return { address: wallet }
  if (Chain.isAddress(family === "evm" ? "solana" : "evm", wallet)) return { address: undefined }
  const key = yield* namedKey(wallet)
  if (key === undefined) return yield* yield* invalidWallet(wallet)
  return key.kind === family ? undefined : { address: undefined }
})

/**
 * Returns the wallet address for a chain family, for commands that do not sign. The address comes from `--wallet`, the
 * keystore or the key. Returns `undefined` if none of them provides an address.
 */
export const addressOf = Effect.fnUntraced(function* (family: Chain.Family) {
  const named = yield* namedAddress(family)
  if (named !== undefined) return named.address
  const source = yield* sourceOf(family)
  if (source === undefined) return undefined
  return (yield* addressOfSource(family, source)) ?? (yield* evm).address
})

/** Whether the wallet in `--wallet` belongs to the other chain family. */
export const isOtherFamily = (family: Chain.Family) =>
  Effect.map(namedAddress(family), (named) => named !== undefined && named.address === undefined)

/**
 * Returns the address of the default key for a chain family, regardless of `--wallet`, without asking for a password.
 * `isProven` means that the address is derived from the key and not only stated next to it.
 */
export const defaultKeyOf = Effect.fnUntraced(function* (family: Chain.Family) {
  const key = (yield* userKeys).find(({ isDefault, kind }) => isDefault && kind === family)
  const address = key && (yield* addressOfSource(family, key.source))
  return key === undefined || address === undefined ? undefined : { address, isProven: key.source.kind !== "keystore" }
})

/**
 * Like `addressOf`, but without asking for a password. Also returns `undefined` if the address cannot be determined
 * without the password.
 */
export const addressWithoutPassword = Effect.fnUntraced(function* (family: Chain.Family) {
  const named = yield* namedAddress(family)
  if (named !== undefined) return named.address
  const source = yield* sourceOf(family)
  return source && (yield* addressOfSource(family, source))
})
