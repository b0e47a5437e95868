/** Runs publint and are-the-types-wrong on the packed tarballs. */
import { publishedPackages, type Report, run, tarball, tooling } from "../workspace.ts"

export const check = async (): Promise<Report> => {
  const packages = publishedPackages()
  const problems: Array<string> = []
  for (const { name } of packages) {
    const linters = [
      ["publint", "run", tarball(name), "--strict"],
      ["attw", tarball(name), "--profile", "esm-only", "--no-color", "--no-emoji", "--format", "ascii"]
    ] as const
    for (const [command, ...args] of linters) {
      const { ok, output } = await run(command, args, tooling)
      if (!ok) problems.push(`${name}, ${command}:\n${output}`)
    }
  }
  return {
    problems,
    summary: `${packages.map(({ name }) => name).join(", ")}: checked the tarballs with publint and attw`
  }
}
