import { createCommand } from '../cli-command.ts';

/** Says that a restored database is the one that posts from now on. */
export const resume = createCommand({
  name: 'resume',
  usage: 'resume',
  summary: 'post digests and alerts again after a database was restored',
  details:
    'After a restore Dwell answers questions, but posts nothing on a schedule until you run this: the original may still post. Run it when only this database is in use. What was due before is not posted again. When nothing is paused, nothing happens.',
  options: { '--json': 'print JSON: { resumed }' },
  examples: ['resume'],
  async run(_typed, { restore, out, json }) {
    const resumed = await restore.resume();
    json({ resumed });
    out(
      resumed
        ? 'Digests and alerts are posted again. What was due before now is left out.'
        : 'Digests and alerts are not paused.',
    );
    return 0;
  },
});
