import { foreignPayments, lostGasBudget } from "./suites/foreignPayments.js"

foreignPayments()
lostGasBudget()
