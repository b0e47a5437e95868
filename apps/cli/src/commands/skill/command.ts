/** Defines `geoswap skill`. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { lazyHandler } from "../lazyHandler.js"

const install = Command.make(
  "install",
  {
    dir: Flag.String("dir").pipe(
      Flag.withMetavar("folder"),
      Flag.withDescription("The folder of your agent's skills, for example .claude/skills"),
      Flag.withDefault(".agents/skills")
    )
  },
  lazyHandler(() => import("./handler.js"))
).pipe(
  Command.withDescription("Write a SKILL.md that teaches a coding agent to use geoswap safely"),
  Command.withExamples([
    { command: "geoswap skill install --dir .claude/skills", description: "Install the skill for one project" }
  ])
)

/** Manages the skill for coding agents. */
export const skill = Command.make("skill").pipe(
  Command.withDescription("Teach a coding agent to use geoswap"),
  Command.withSubcommands([install])
)
