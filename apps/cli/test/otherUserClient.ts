/**
 * An agent that has only the address and the token of a server: `otherUserClient.ts <url> <token> <calls>`. Calls the
 * tools one after the other, and prints their results.
 */
import { Client, SdkHttpError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"

const [url = "", token = "", calls = "[]"] = process.argv.slice(2)

const client = new Client({ name: "geoswap-test", version: "1.0.0" })
const requestInit = { headers: { authorization: `Bearer ${token}` } }
const results: Array<unknown> = []
try {
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  for (const call of JSON.parse(calls) as ReadonlyArray<{ name: string; arguments: Record<string, unknown> }>) {
    const { content, structuredContent } = await client.callTool(call)
    const fields = content.at(-1)
    // The fields of an error are its last text.
    results.push(structuredContent ?? (fields?.type === "text" ? JSON.parse(fields.text) : fields))
  }
} catch (error) {
  results.push({ refused: error instanceof SdkHttpError ? error.status : String(error) })
}
process.stdout.write(`${JSON.stringify(results)}\n`)
process.exit(0)
