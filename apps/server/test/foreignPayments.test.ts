import { foreignPayments } from "./suites/foreignPayments.js"

foreignPayments()
