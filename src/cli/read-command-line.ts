import { CommanderError, Option, Command as Parser } from 'commander';
import { type AppError, badRequest, badRequestAs } from '../model/error.ts';
import type { CliOutput, CliParts, Command, JsonOutput, Typed } from './cli-command.ts';

/** The call of the command line in the project's folder. */
const CALL = 'npx dwell';

/** A command that was typed, see `Command`, or, where none is to run, the help that was asked for. */
export type TypedLine<Parts> =
  | { readonly help: string }
  | { runAlone(output: CliOutput): number | null; run(parts: Parts): Promise<number> };

/** Reads one command line. What the commands do not know, or lack, is refused by name, with what works. */
export function readCommandLine<Parts extends Pick<CliParts, 'out'>>(
  commands: readonly Command<Parts>[],
  args: readonly string[],
): TypedLine<Parts> {
  let help = '';
  let line: Exclude<TypedLine<Parts>, { help: string }> | undefined;
  const program = new Parser(CALL)
    .usage('COMMAND')
    .description(
      'Commands for the person who runs Dwell. They use the settings and the data of the folder they run in.',
    )
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [COMMAND]', 'show how a command is used')
    .addHelpText('after', `\nShow how a command is used:\n  ${CALL} help token`)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        help += text;
      },
      writeErr: () => {},
      getOutHelpWidth: () => 80,
    })
    .configureHelp({
      commandUsage: (parser) => `${CALL} ${parser.usage()}`,
      subcommandTerm: (parser) => (parser.name() === 'help' ? 'help [COMMAND]' : parser.name()),
      subcommandDescription: (parser) => parser.summary() || parser.description(),
      optionTerm: ({ flags }) => flags.replace(/[<>]/g, ''),
    });
  for (const command of commands) {
    const parser = addParser(program, command, args);
    parser.action(() => {
      const typed = readTyped(parser, command.usage);
      line = {
        runAlone: (output) => command.runAlone?.(typed, withJson(typed, output)) ?? null,
        run: (parts) => command.run(typed, withJson(typed, parts)),
      };
    });
  }
  try {
    const isForAll = args.length === 0 || (args[0] === 'help' && /^(help|-.*)$/.test(args[1] ?? ''));
    program.parse(isForAll ? ['--help'] : args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw refusalOf(error, commands, args);
    return { help: help.trimEnd() };
  }
  return line ?? { help: help.trimEnd() };
}

function addParser<Parts>(
  program: Parser,
  { name, usage, summary, ...command }: Command<Parts>,
  args: readonly string[],
): Parser {
  const parser = program
    .command(name)
    .usage(usage)
    .allowExcessArguments()
    .summary(summary)
    .description(
      [`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`, command.details ?? ''].join(' ').trim(),
    )
    .addHelpText('after', ['\nExamples:', ...command.examples.map((one) => `  ${CALL} ${one}`)].join('\n'));
  for (const [word, text] of Object.entries(command.words ?? {})) parser.argument(word, text);
  for (const [flags, text] of Object.entries(command.options)) {
    const option = new Option(flags.replace(/ (.+)/, ' <$1>'), text);
    parser.addOption(
      option.required ? option.argParser((value) => checkedValue(value, flags, usage, args)) : option,
    );
  }
  return parser;
}

/**
 * `--expires -1d` is a wrong value, `--user --admin` a missing one; so is `--user -x` where no list may begin with a minus.
 * Commander takes whatever follows.
 */
function checkedValue(value: string, flags: string, usage: string, args: readonly string[]): string {
  const [option] = flags.split(' ');
  const looksLikeOption = flags.endsWith(' LIST') ? value.startsWith('--') : /^-\D/.test(value);
  if (looksLikeOption && !args.includes(`${option}=${value}`))
    throw badRequest(`${option} needs a value. Try: ${usage}.`);
  return value;
}

function readTyped(parser: Parser, usage: string): Typed {
  const words = parser.args;
  const { registeredArguments: declared } = parser;
  const surplus = declared.at(-1)?.variadic ? undefined : words[declared.length];
  if (surplus !== undefined)
    throw badRequestAs('unknown-parameter', `Unexpected argument '${surplus}'. Try: ${usage}.`);
  const values = new Map(
    parser.options.map((option) => [option.name(), parser.getOptionValue(option.attributeName())] as const),
  );
  return {
    words,
    value: (option: string) => values.get(option),
    isOn: (option: string) => values.get(option) === true,
  };
}

/** With `--json` standard output has the value alone. */
function withJson<Parts extends Pick<CliParts, 'out'>>(typed: Typed, parts: Parts): Parts & JsonOutput {
  const isJson = (typed.isOn as (option: string) => boolean)('json');
  if (!isJson) return { ...parts, json: () => {}, jsonLine: () => {} };
  return {
    ...parts,
    out: () => {},
    json: (value) => parts.out(JSON.stringify(value, null, 2)),
    jsonLine: (value) => parts.out(JSON.stringify(value)),
  };
}

/** Commander's refusals in our words; where it finds a similar name, that is what to try. */
function refusalOf(
  { code, message }: CommanderError,
  commands: readonly Pick<Command, 'name' | 'usage' | 'options'>[],
  args: readonly string[],
): AppError {
  const { usage = 'help', options = {} } = commands.find(({ name }) => name === args[0]) ?? {};
  const [, named = ''] = /'(.*?)'(?: argument missing)?(?:\n|$)/s.exec(message) ?? [];
  const [, alike] = /\(Did you mean (?:one of )?(.+)\?\)$/.exec(message) ?? [];
  if (code === 'commander.optionMissingArgument')
    return badRequest(`${named.split(' ')[0]} needs a value. Try: ${usage}.`);
  if (code === 'commander.unknownOption') {
    const [flag = ''] = named.split('=');
    return flag in options
      ? badRequest(`${flag} takes no value. Try: ${usage}.`)
      : badRequest(`Unknown option '${flag}'. Try: ${alike ?? usage}.`);
  }
  const name = args[0] === 'help' ? args[1] : args[0];
  const names = [...commands.map((one) => one.name), 'help'].join(', ');
  return badRequestAs('unknown-command', `Unknown command "${name}". Try: ${alike ?? names}.`);
}
