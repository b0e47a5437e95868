import { foreignPayments } from "./foreignPayments.js"

foreignPayments()
