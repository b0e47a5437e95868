/** What the main button of the form says: the next step, or what is missing. */
import { text } from "../language/language.js"
import type { PageForm } from "./usePageForm.js"

interface MainButton {
  readonly label: string
  /** What the button does, or `undefined` if it cannot be used. */
  readonly action?: "review" | "connect"
}

/** Returns the main button for the state of the form. `connected` says whether there is a wallet of any family. */
export const mainButton = (form: PageForm, connected: boolean): MainButton => {
  const { button, review } = text.form
  const { amount, balance, destination, errors, inputToken, origin, recipient, wallet } = form
  if (form.canReview) return { label: review, action: "review" }
  if (form.isLoading) return { label: button.loading }
  if (origin === undefined || destination === undefined) return { label: review }
  if (wallet === undefined) {
    const any = origin.family === "evm" && !connected
    return { label: any ? button.connectAny : button.connect[origin.family], action: "connect" }
  }
  if (errors.amount === undefined && !amount) return { label: button.amount }
  if (inputToken !== undefined && amount !== undefined && balance !== undefined && amount > balance) {
    return { label: button.insufficient(inputToken.symbol) }
  }
  if (errors.amount !== undefined) return { label: button.checkAmount }
  if (recipient === undefined) return { label: button.connect[destination.family], action: "connect" }
  if (errors.recipient !== undefined) return { label: button.recipient }
  if ((errors.inputToken ?? errors.outputToken) !== undefined) return { label: button.checkTokens }
  if (errors.slippageBps !== undefined) return { label: button.checkSlippage }
  return { label: form.blocker === undefined ? review : button.cannotPay }
}
