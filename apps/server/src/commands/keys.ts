/** `geoswap-server keys`. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { json, requiredArgument, requiredFlag } from "./flags.js"
import { lazyHandler } from "./lazyHandler.js"
import * as Option from "effect/Option"

const load = () => import("./keysHandler.js")

const create = Command.make(
  "create",
  {
    account: requiredFlag("account", {
      metavar: "name",
      description: "Account that the key belongs to; keys of one account see the same swaps",
      expected: "a name",
      // The service validates names.
      parse: (text) => text
    }),
    label: Flag.String("label").pipe(
      Flag.withMetavar("text"),
      Flag.withDescription("Label that keys list shows"),
      Flag.optional,
      Flag.map(Option.getOrUndefined)
    ),
    json
  },
  lazyHandler(async () => (await load()).create)
).pipe(Command.withDescription("Create an API key and print it once"))

const list = Command.make(
  "list",
  { json },
  lazyHandler(async () => (await load()).list)
).pipe(Command.withDescription("List the API keys"))

/** The id in a key id or in a whole key. */
const parseKeyId = (text: string): string | undefined => /^(?:gsk_)?([a-z0-9]{12})(?:_[\w-]{43})?$/.exec(text)?.[1]

const revoke = Command.make(
  "revoke",
  {
    id: requiredArgument("id", {
      description: "Id of the key, as keys list shows it",
      expected: "12 lowercase letters and digits, as keys list shows them",
      parse: parseKeyId
    }),
    json
  },
  lazyHandler(async () => (await load()).revoke)
).pipe(Command.withDescription("Revoke an API key"))

const seal = Command.make(
  "seal",
  { json },
  lazyHandler(async () => (await load()).seal)
).pipe(Command.withDescription("Print a new sealing key for GEOSWAP_SEAL_KEYS"))

/** Manages API keys, and creates sealing keys. */
export const keys = Command.make("keys").pipe(
  Command.withDescription("Create, list and revoke API keys"),
  Command.withSubcommands([create, list, revoke, seal])
)
