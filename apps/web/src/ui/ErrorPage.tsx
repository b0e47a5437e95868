/** The page that is shown if the app cannot be rendered. */
import { Component, type ReactNode } from "react"
import { text } from "../language/language.js"

/** Shows the error and a button to reload. */
export const ErrorPage = ({ error }: { readonly error: unknown }) => (
  <main className="broken">
    <div role="alert">
      <h1>{text.broken.title}</h1>
      <p>{error instanceof Error ? error.message : text.broken.text}</p>
      <p>{text.broken.swaps}</p>
    </div>
    <button type="button" className="main" onClick={() => location.reload()}>
      {text.broken.reload}
    </button>
  </main>
)

/** An error boundary that shows the error page if a component below it throws. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state = { error: undefined as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render(): ReactNode {
    return this.state.error === undefined ? this.props.children : <ErrorPage error={this.state.error} />
  }
}
