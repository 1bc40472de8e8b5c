import { resumeCommand } from '../../model/digest.ts';
import { badRequestAs } from '../../model/error.ts';
import { type CliParts, createCommand, type JsonOutput, type StoreMoves } from '../cli-command.ts';

/** The parts of the command. */
export type RestoreParts = Pick<CliParts, 'out' | 'progress'> & {
  readonly stores: Pick<StoreMoves, 'restore'>;
};

const USAGE = 'restore FILE [--to FOLDER] [--replace] [--resume]';

/** Makes a backup the database of a folder. */
export const restore = createCommand({
  name: 'restore',
  usage: USAGE,
  summary: 'make a backup the database of this Dwell, or of another folder',
  details:
    'Stop Dwell first. FILE is checked, and brought to the version of this Dwell, before anything else changes; if the command is interrupted, the folder has its former database or the whole new one. Tokens, links of Slack accounts, digests, watches and settings are as they were at the time of the backup. Digests and alerts are paused, because the original may still post them: run resume once it does not. A PostgreSQL database is restored by pg_restore instead.',
  words: { '[FILE]': 'a copy that backup made, or the file dwell.db of a Dwell that is stopped' },
  options: {
    '--to FOLDER': 'the DATA_DIR that gets the database (default: that of the settings)',
    '--replace': 'move a database that is there to a folder beside it, which is named after the time in UTC',
    '--resume': 'the original is gone: post digests and alerts right away',
    '--json': 'print JSON: { file, folder, bytes, replaced, paused, warning }, replaced as a folder or null',
  },
  examples: [
    'restore dwell-backup.db',
    'restore ./backups/dwell-2026-11-30T0600Z.db --replace',
    'restore dwell-backup.db --to ./restored',
  ],
  async run(typed, { stores, out, progress, json }: RestoreParts & JsonOutput) {
    const [file] = typed.words;
    if (file === undefined) throw badRequestAs('missing-value', `FILE is required. Try: ${USAGE}.`);
    const to = typed.value('to') ?? null;
    const which = { file, to, isReplacing: typed.isOn('replace'), isResumed: typed.isOn('resume') };
    const { folder, bytes, replaced, posting } = await stores
      .restore(which, (step) => progress(`${file}: ${step}`))
      .finally(() => progress(''));
    const here = (command: string) => (to === null ? command : `DATA_DIR=${folder} ${command}`);
    const warning = `Tokens turned off, and signing keys revoked, since the copy was made work again. Turn such tokens off: ${here('npx dwell tokens --off ID')}. If a key has leaked, revoke it again: ${here('npx dwell secrets rotate-signing-key --revoke')}.`;
    json({ file, folder, bytes, replaced, paused: posting === 'paused', warning });
    out(`${file} is the database in ${folder} now (${Math.ceil(bytes / 1024).toLocaleString('en-US')} kB).`);
    if (replaced !== null) out(`The former database is in ${replaced}.`);
    out(warning);
    if (posting === 'paused') {
      out(
        `Digests and alerts are paused, because the original may still post them. Once it doesn't, resume them: ${here(resumeCommand)}.`,
      );
    }
    if (posting === 'resumed')
      out('Digests and alerts are posted again. What was due before now is left out.');
    return 0;
  },
});

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
