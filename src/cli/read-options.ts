import { type ParseArgsConfig, parseArgs } from 'node:util';
import { badRequest } from '../model/error.ts';

/** The options and words of a command; what the command does not know is refused by name. */
export function readOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  allowPositionals = false,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals, strict: true });
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : String(error));
  }
}
