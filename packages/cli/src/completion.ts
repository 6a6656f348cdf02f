import type { Command, Option } from "commander";
import { usageError } from "./shared/command-error.ts";

/** A command by its path, such as `/threads/list`, and what may follow it. */
interface Place {
  readonly at: string;
  readonly command: Command;
  readonly commands: readonly Command[];
  readonly options: readonly Option[];
}

/** Returns a shell script that completes the program's commands, options and option values. */
export function completion(program: Command, shell: string): string {
  const places = placesOf(program, "");
  switch (shell) {
    case "bash":
      return bash(program.name(), places);
    case "zsh":
      return zsh(program.name(), places);
    case "fish":
      return fish(program.name(), places);
    default:
      throw usageError(`no completion for ${shell}: use bash, zsh or fish`);
  }
}

function placesOf(command: Command, at: string): Place[] {
  const { commands, options } = command;
  return [
    { at, command, commands, options },
    ...commands.flatMap((child) => placesOf(child, `${at}/${child.name()}`)),
  ];
}

/**
 * The words other than options that can be completed here: subcommands, and arguments with a fixed set of
 * choices.
 */
function words({ command, commands }: Place): string[] {
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  return [...commands.map((child) => child.name()), ...choices];
}

function flags(options: readonly Option[]): string[] {
  return [
    ...options.flatMap(({ short, long }) => [short, long].filter((flag) => flag !== undefined)),
    "--help",
  ];
}

/** Finds the place by the words so far, then offers the words that may follow. Bash and zsh share this code. */
function body(
  places: readonly Place[],
  typed: string,
  previous: string,
  reply: (list: string) => string,
): string {
  const known = places.filter(({ at }) => at !== "").map(({ at }) => `      ${at}) at=${at} ;;`);
  const choices = places.flatMap(({ at, options }) =>
    options
      .filter(({ argChoices }) => argChoices !== undefined)
      .map(({ short, long, argChoices = [] }) => {
        const names = [short, long].filter((flag) => flag !== undefined).map((flag) => `"${at} ${flag}"`);
        return `    ${names.join("|")}) ${reply(argChoices.join(" "))}; return ;;`;
      }),
  );
  const follow = places.map((place) => {
    const list = [...words(place), ...flags(place.options)];
    return `    "${place.at}") ${reply(list.join(" "))} ;;`;
  });
  return `  local at="" word
  for word in ${typed}; do
    case "$at/$word" in
${known.join("\n")}
    esac
  done
  case "$at ${previous}" in
${choices.join("\n")}
  esac
  case "$at" in
${follow.join("\n")}
  esac`;
}

function bash(name: string, places: readonly Place[]): string {
  const typed = '"${COMP_WORDS[@]:1:COMP_CWORD-1}"';
  const reply = (list: string): string =>
    `COMPREPLY=($(compgen -W "${list}" -- "\${COMP_WORDS[COMP_CWORD]}"))`;
  return `_${name}() {
${body(places, typed, "${COMP_WORDS[COMP_CWORD-1]}", reply)}
}
complete -o default -F _${name} ${name}
`;
}

function zsh(name: string, places: readonly Place[]): string {
  const reply = (list: string): string => `compadd -- ${list}`;
  return `#compdef ${name}
_${name}() {
${body(places, '"${(@)words[2,CURRENT-1]}"', "${words[CURRENT-1]}", reply)}
  [[ -z "$at" ]] || _files
}
compdef _${name} ${name}
`;
}

function fish(name: string, places: readonly Place[]): string {
  const lines = places.flatMap((place) => {
    const { at, command, commands, options } = place;
    const path = at.split("/").slice(1);
    const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
    const children = commands.map((child) => child.name()).join(" ");
    const condition = path.length === 0 ? "__fish_use_subcommand" : seen;
    const below =
      commands.length > 0 && path.length > 0
        ? `${seen}; and not __fish_seen_subcommand_from ${children}`
        : condition;
    return [
      ...commands.map(
        (child) =>
          `complete -c ${name} -n '${below}' -f -a ${child.name()} -d ${quoted(child.description())}`,
      ),
      ...words({ ...place, commands: [] }).map(
        (word) => `complete -c ${name} -n '${condition}' -f -a ${word} -d ${quoted(command.description())}`,
      ),
      ...options.map((option) => `complete -c ${name} -n '${condition}' ${fishOption(option)}`),
      `complete -c ${name} -n '${condition}' -l help -d 'display help for command'`,
    ];
  });
  return `${lines.join("\n")}\n`;
}

function fishOption({ short, long, description, argChoices, required }: Option): string {
  return [
    ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
    ...(long === undefined ? [] : [`-l ${long.slice(2)}`]),
    ...(required ? ["-r"] : []),
    ...(argChoices === undefined ? [] : [`-f -a ${quoted(argChoices.join(" "))}`]),
    `-d ${quoted(description)}`,
  ].join(" ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;
}
