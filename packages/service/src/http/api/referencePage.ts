/** The API reference as a single HTML page, without scripts or external resources. */
import type * as OpenApi from "effect/http-api/OpenApi"
import { styles, stylesHash } from "./referenceStyles.js"

/** The content security policy, which allows only the page's own styles. */
export const policy = `default-src 'none'; style-src '${stylesHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char)

/** HTML text. Interpolated values are escaped, unless they are also `Html`. */
class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
type Part = string | number | Html | ReadonlyArray<Html> | undefined

const textOf = (part: Part): string =>
  part === undefined
    ? ""
    : part instanceof Html
      ? part.text
      : typeof part === "object"
        ? part.map(textOf).join("")
        : escape(String(part))

const html = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html =>
  new Html(strings.map((string, index) => string + textOf(parts[index])).join(""))

interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<string | number | boolean>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
}

const nameOf = (schema: JsonSchema): string | undefined => schema.$ref?.split("/").at(-1)

const linkTo = (name: string): Html => html`<a href="#${name}">${name}</a>`

const typeOf = (schema: JsonSchema): Html => {
  const name = nameOf(schema)
  if (name !== undefined) return linkTo(name)
  if (schema.enum) return html`${schema.enum.join(" | ")}`
  if (schema.anyOf) {
    const types = schema.anyOf.map(typeOf)
    return html`${types.flatMap((type, index) => (index === 0 ? [type] : [html` | `, type]))}`
  }
  if (schema.items) return html`list of ${typeOf(schema.items)}`
  return html`${schema.type ?? "anything"}`
}

const fieldsOf = (schema: JsonSchema): Html =>
  html` <table>
    <thead>
      <tr>
        <th scope="col">field</th>
        <th scope="col">type</th>
        <th scope="col">meaning</th>
      </tr>
    </thead>
    <tbody>
      ${Object.entries(schema.properties ?? {}).map(
        ([name, field]) =>
          html`<tr>
            <td><code>${name}</code>${schema.required?.includes(name) ? "" : " (optional)"}</td>
            <td>${typeOf(field)}</td>
            <td>${field.description}</td>
          </tr>`
      )}
    </tbody>
  </table>`

const codeOf = (value: unknown): Html =>
  html`<pre tabindex="0"><code>${JSON.stringify(value, undefined, 2)}</code></pre>`

interface Media {
  readonly schema: JsonSchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

const contentOf = (title: string, content: OpenApi.OpenApiSpecContent | undefined): Html => {
  const media: Media | undefined = content?.["application/json"]
  if (media === undefined) return html``
  const isNamed = [media.schema, ...(media.schema.anyOf ?? [])].some((schema) => nameOf(schema) !== undefined)
  const values =
    media.examples === undefined ? [media.example] : Object.values(media.examples).map(({ value }) => value)
  return html`<h4>${title}${isNamed ? html`: ${typeOf(media.schema)}` : undefined}</h4>
    ${values.map(codeOf)}`
}

const operationOf = (path: string, method: string, operation: OpenApi.OpenAPISpecOperation): Html =>
  html` <section id="${operation.operationId}">
    <h3><code>${method.toUpperCase()} ${path}</code></h3>
    <p>${operation.summary}. ${operation.description}</p>
    ${
      operation.parameters.length === 0
        ? undefined
        : html`<h4>Parameters</h4>
            <ul>
              ${operation.parameters.map(
                (parameter) =>
                  html`<li><code>${parameter.name}</code> in the ${parameter.in}: ${parameter.description}</li>`
              )}
            </ul>`
    }
    ${contentOf("Body", operation.requestBody?.content)} ${contentOf("Response", operation.responses[200]?.content)}
    <h4>Errors</h4>
    <ul>
      ${Object.entries(operation.responses)
        .filter(([status]) => status !== "200")
        .map(([status, { description }]) => html`<li>${status}: <code>${description}</code></li>`)}
    </ul>
  </section>`

const operationsOf = (spec: OpenApi.OpenAPISpec) =>
  Object.entries(spec.paths).flatMap(([path, item]) =>
    (["get", "post"] as const).flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ path, method, operation }]
    })
  )

/**
 * The style element. It is a plain string, because a formatter could change the styles in an `html` template, and the
 * policy contains the hash of the exact styles.
 */
const styleElement = new Html(`<style>${styles}</style>`)

/** Renders an OpenAPI document as an HTML page. */
export const page = (spec: OpenApi.OpenAPISpec): string => {
  const operations = operationsOf(spec)
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${spec.info.title} ${spec.info.version}: reference</title>
        ${styleElement}
      </head>
      <body>
        <header>
          <h1>${spec.info.title} <small>${spec.info.version}</small></h1>
          <p>${spec.info.summary} ${spec.info.description}</p>
          <p>
            Endpoints under <code>/swap</code> require an API key in the <code>x-api-key</code> header. OpenAPI
            document: <a href="/openapi.json">openapi.json</a>.
          </p>
        </header>
        <nav aria-label="Endpoints">
          <ul>
            ${operations.map(
              ({ method, operation, path }) =>
                html`<li>
                  <a href="#${operation.operationId}"><code>${method.toUpperCase()} ${path}</code></a>
                  ${operation.summary}
                </li>`
            )}
          </ul>
        </nav>
        <main>
          <h2>Endpoints</h2>
          ${operations.map(({ method, operation, path }) => operationOf(path, method, operation))}
          <h2>Models</h2>
          ${Object.entries(spec.components.schemas).map(
            ([name, schema]) =>
              html`<section id="${name}">
                <h3>${name}</h3>
                <p>${(schema as JsonSchema).description}</p>
                ${fieldsOf(schema)}
              </section>`
          )}
        </main>
      </body>
    </html> `.text
}
