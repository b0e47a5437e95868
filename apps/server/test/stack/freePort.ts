/** Ports for servers that tests start and restart. */
import * as Effect from "effect/Effect"
import { randomInt } from "node:crypto"
import { createServer } from "node:net"

/**
 * A free port of this machine, below the ports that the system chooses: no listener on port 0 and no connection of
 * another process can take it before it is used, or while a server restarts.
 */
export const freePort: Effect.Effect<number> = Effect.callback((resume) => {
  const attempt = () => {
    const port = randomInt(16_384, 32_768)
    const server = createServer()
    server.once("error", attempt)
    server.listen(port, "127.0.0.1", () => server.close(() => resume(Effect.succeed(port))))
  }
  attempt()
})
