import { type ParseArgsConfig, parseArgs } from 'node:util';
import { badRequest } from '../model/error.ts';

/** What else than options with plain values a command takes: words, or values that may begin with a minus. */
interface Allowed {
  readonly words?: boolean;
  readonly signs?: boolean;
}

/** The options and words of a command; what the command does not know is refused by name, with what is allowed. */
export function readOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  usage: string,
  options: Options,
  { words: allowPositionals = false, signs = false }: Allowed = {},
) {
  const words: string[] = [];
  const known: string[] = [];
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (!allowPositionals) throw badRequest(`'${token.value}' is one word too many; allowed: ${usage}.`);
      words.push(token.value);
    }
    if (token.kind === 'option') {
      const { rawName, name, value, inlineValue = false } = token;
      const option = Object.hasOwn(options, name) ? options[name] : undefined;
      if (option === undefined) throw badRequest(`Option '${rawName}' is not known; allowed: ${usage}.`);
      if (option.type === 'boolean') {
        if (value !== undefined) throw badRequest(`${rawName} takes no value; allowed: ${usage}.`);
        known.push(rawName);
      } else {
        if (value === undefined || (!inlineValue && looksLikeOption(value, signs)))
          throw badRequest(`${rawName} needs a value; allowed: ${usage}.`);
        known.push(`${rawName}=${value}`);
      }
    }
  }
  return parseArgs({ args: [...known, '--', ...words], options, allowPositionals, strict: true });
}

/** `--expires -1d` is a wrong value, `--user --admin` a missing one; so is `--user -x` where values have no signs. */
function looksLikeOption(value: string, signs: boolean): boolean {
  return signs ? value.startsWith('--') : /^-\D/.test(value);
}
