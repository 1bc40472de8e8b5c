import { CommanderError, Option, Command as Parser } from 'commander';
import type { ChannelsApi } from '../api/channels/channels-api.ts';
import type { DigestsApi } from '../api/digests/digests-api.ts';
import type { PeopleApi } from '../api/people/people-api.ts';
import type { Tokens } from '../api/people/tokens.ts';
import type { FileProgress, FillSummary } from '../api/tracker/import-files.ts';
import type { ConsentApi, SyncApi } from '../api/tracker/sync-api.ts';
import type { DelegationPermissions } from '../model/delegation.ts';
import type { AccessRule, Directory } from '../model/directory.ts';
import { badRequest, badRequestAs } from '../model/error.ts';
import type { Instant, User } from '../model/issue.ts';

/** The rules about who may see which imported issues, and what rules can name. */
export interface ImportAccess {
  directory(): Promise<Pick<Directory, 'access' | 'groups'>>;
  /** Adds rules, replacing those of the same kind and id. */
  putDirectory(part: Pick<Directory, 'access'>): Promise<void>;
  /** False when there is no such rule. */
  removeAccess(kind: AccessRule['kind'], id: string): Promise<boolean>;
  users(): Promise<ReadonlyMap<string, User>>;
  /** Keys of issues, at most `count`. */
  recentKeys(count: number): Promise<readonly string[]>;
  /** How many issues were read by a Dwell that did not read the roles they are restricted to. */
  countUnreadRoles(): Promise<number>;
}

/** Who may see and change which delegations of the tracker in use, and whom such a permission can name. */
export interface DelegationAccess {
  permissions(): Promise<DelegationPermissions>;
  putPermissions(permissions: DelegationPermissions): Promise<void>;
  groups(): Promise<Directory['groups']>;
}

/** What commands work with; `out` and `err` take whole lines, `progress` overwrites one where a person watches. */
export interface CliParts {
  readonly tenant: string;
  readonly tokens: Tokens;
  readonly rights: ImportAccess;
  /** The tracker itself says who may see what: rules of ours are not asked. */
  readonly trackerDecides: boolean;
  readonly people: PeopleApi;
  readonly delegationAccess: DelegationAccess;
  /** What was chosen for Slack's channels. */
  readonly channels: ChannelsApi;
  readonly digests: DigestsApi;
  readonly sync: SyncApi;
  /** Null where nobody has to agree to us in a browser. */
  readonly consent: ConsentApi | null;
  /** Where this service is reached, if that is configured. */
  readonly baseUrl: string | null;
  /** What an app in Slack is created from: in Socket Mode, or called over HTTP at an address. */
  slackManifest(address: string | null): Promise<string>;
  /** Name of the tracker in use: whose people, and rights to delegations, are meant. */
  tracker(): Promise<string>;
  readonly now: () => Instant;
  importFiles(files: readonly string[], onProgress: (progress: FileProgress) => void): Promise<FillSummary>;
  out(line: string): void;
  /** For what is not to be piped on with the rest. */
  err(line: string): void;
  progress(line: string): void;
}

/** One command of the command line, and the parts it works with. `run` returns the exit code. */
export interface Command<Parts = CliParts> {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  run(args: readonly string[], parts: Parts): Promise<number>;
}

/** How the command line is called from the project's folder. */
export const CALL = 'npx dwell';

/** Runs a command with the words behind its name, or prints with `--help` how it is used. */
export async function runWithHelp<Parts extends Pick<CliParts, 'out'>>(
  command: Command<Parts>,
  args: readonly string[],
  parts: Parts,
): Promise<number> {
  if (!asksForHelp(args)) return command.run(args, parts);
  parts.out(`Usage: ${CALL} ${command.usage}`);
  parts.out(`    ${command.summary}`);
  return 0;
}

/** Behind `--` stand words that are meant as they are. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).some((one) => one === '--help' || one === '-h');
}

/** Options by name, without dashes: with a value, with one that may begin with a minus, or without any. */
type OptionKinds = Readonly<Record<string, 'value' | 'signed' | 'switch'>>;

type NamesOf<Kinds, Kind> = { [Name in keyof Kinds]: Kinds[Name] extends Kind ? Name : never }[keyof Kinds];

/** What was typed after the name of a command. */
interface Typed<Kinds extends OptionKinds> {
  readonly words: readonly string[];
  /** Undefined where the option was not typed; of one typed twice the last value. */
  value(option: NamesOf<Kinds, 'value' | 'signed'>): string | undefined;
  isOn(option: NamesOf<Kinds, 'switch'>): boolean;
}

/** A command and the options it takes; `takesWords` where words may be typed beside them. */
export function createCommand<const Kinds extends OptionKinds, Parts = CliParts>({
  name,
  usage,
  summary,
  options,
  takesWords = false,
  run,
}: Omit<Command<Parts>, 'run'> & {
  readonly options: Kinds;
  readonly takesWords?: boolean;
  run(typed: Typed<Kinds>, parts: Parts): Promise<number>;
}): Command<Parts> {
  return {
    name,
    usage,
    summary,
    async run(args, parts) {
      const typed = readTyped(args, { usage, options });
      const [surplus] = takesWords ? [] : typed.words;
      if (surplus !== undefined)
        throw badRequestAs('unknown-parameter', `Unexpected argument '${surplus}'. Try: ${usage}.`);
      return run(typed, parts);
    },
  };
}

/** What the command does not know, or lacks, is refused by name, with what is allowed. */
function readTyped<Kinds extends OptionKinds>(
  args: readonly string[],
  { usage, options }: { readonly usage: string; readonly options: Kinds },
): Typed<Kinds> {
  const refuse = (what: string) => badRequest(`${what}. Try: ${usage}.`);
  const parser = new Parser().exitOverride().configureOutput({ writeErr: () => {} });
  const values: (readonly [name: string, value: string])[] = [];
  for (const [name, kind] of Object.entries(options)) {
    const option = new Option(kind === 'switch' ? `--${name}` : `--${name} <value>`);
    parser.addOption(
      kind === 'switch'
        ? option
        : option.argParser((value) => {
            values.push([name, value]);
            return value;
          }),
    );
  }
  const { operands: words, unknown } = parse(parser, args, refuse);
  const [flag = ''] = (unknown[0] ?? '').split('=');
  if (parser.options.some(({ long }) => long === flag)) throw refuse(`${flag} takes no value`);
  if (flag !== '') throw refuse(`Unknown option '${flag}'`);

  const given = (name: string): unknown => parser.getOptionValue(new Option(`--${name}`).attributeName());
  // An option that is given again hides no earlier one that lacks its value.
  for (const [name, value] of values) {
    if (args.includes(`--${name}=${value}`)) continue;
    if (looksLikeOption(value, options[name])) throw refuse(`--${name} needs a value`);
  }
  return {
    words,
    value(option) {
      const value = given(String(option));
      return typeof value === 'string' ? value : undefined;
    },
    isOn: (option) => given(String(option)) === true,
  };
}

/** An option that ends the line has no value at all. */
function parse(parser: Parser, args: readonly string[], refuse: (what: string) => Error) {
  try {
    return parser.parseOptions([...args]);
  } catch (error) {
    const isMissing = error instanceof CommanderError && error.code === 'commander.optionMissingArgument';
    throw isMissing ? refuse(`${args.at(-1)} needs a value`) : error;
  }
}

/** `--expires -1d` is a wrong value, `--user --admin` a missing one; so is `--user -x` where values have no signs. */
function looksLikeOption(value: string, kind: OptionKinds[string] | undefined): boolean {
  return kind === 'signed' ? value.startsWith('--') : /^-\D/.test(value);
}
