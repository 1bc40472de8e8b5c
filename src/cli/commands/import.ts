import { badRequest } from '../../model/error.ts';
import type { CliParts, Command } from '../command.ts';
import { readOptions } from '../read-options.ts';

/** Keys told per reason before the rest is only counted. */
const KEYS_SHOWN = 10;

/** Takes files with Jira's search results into the store and tells what came of it. */
export const importCommand: Command = {
  name: 'import',
  usage: 'import FILE…',
  summary: "take in Jira's search results (expand=changelog) and status lists, .json or .json.gz",
  async run(args, parts) {
    const { positionals: files } = readOptions(args, {}, true);
    if (files.length === 0)
      throw badRequest('import needs at least one FILE, for example: import issues.json.gz.');
    const summary = await parts.importFiles(files, ({ file, bytes, size }) => {
      const percent = size === 0 ? 100 : Math.floor((bytes / size) * 100);
      parts.progress(`${file}: ${percent} % of ${(size / 1e6).toFixed(1)} MB`);
    });
    parts.progress('');
    tell(summary, parts);
    return summary.rejected.length > 0 ? 1 : 0;
  },
};

function tell(summary: Awaited<ReturnType<CliParts['importFiles']>>, { out }: CliParts): void {
  const { issues, changes, unchanged, cut, rejected } = summary;
  const cutCount = [...cut.values()].reduce((sum, keys) => sum + keys.length, 0);
  out(
    `Issues           ${issues}${unchanged > 0 ? ` (${unchanged} were here already, as fresh or fresher)` : ''}`,
  );
  out(`Changes          ${changes}`);
  out(`Cut histories    ${cutCount}`);
  for (const [reason, keys] of cut) {
    const more = keys.length > KEYS_SHOWN ? ` and ${keys.length - KEYS_SHOWN} more` : '';
    out(`  ${reason}: ${keys.slice(0, KEYS_SHOWN).join(', ')}${more}`);
  }
  out(`Rejected entries ${rejected.length}`);
  for (const { source, key, reason } of rejected) out(`  ${source}  ${key ?? '(no key)'}  ${reason}`);
}
