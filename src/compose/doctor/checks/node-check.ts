import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { fine, note, warning } from '../../../cli/finding.ts';
import type { Check } from '../check.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The Node that runs, compared with the one that the project brings. */
export const nodeCheck: Check = {
  name: 'Node',
  needs: [],
  async run({ node: { version, file } }) {
    const pinned = pinnedVersion();
    const isOwn = file.startsWith(realpathSync(`${root}node_modules`));
    const where = isOwn ? "the project's own" : file;
    if (version === pinned) return [fine(`${version} (${where})`)];
    const text = `${version} (${where}); Dwell is tested with ${pinned}.`;
    const cure = `Run npm ci in ${root}, which brings that one, then start Dwell with npm start.`;
    return [majorOf(version) === majorOf(pinned) ? note(text) : warning(text, cure)];
  },
};

/** The packages with a Node have its version. */
function pinnedVersion(): string {
  const text = readFileSync(`${root}package.json`, 'utf8');
  const { optionalDependencies } = z
    .object({ optionalDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(text));
  const name = Object.keys(optionalDependencies).find((one) => /^node-(bin-)?(darwin|linux|win)-/.test(one));
  return optionalDependencies[name ?? ''] ?? '';
}

function majorOf(version: string): string | undefined {
  return version.split('.')[0];
}
