import { usedNonces } from "./engines/usedNonces.js"

usedNonces("SQLite")
