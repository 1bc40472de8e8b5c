import { randomBytes } from 'node:crypto';
import { badRequestAs } from '../../model/error.ts';
import { createCommand } from '../cli-command.ts';

/** The bytes of a key of AES-256. */
const KEY_BYTES = 32;

/** Makes a key for stored secrets, or encrypts all of them with the current one. */
export const secrets = createCommand({
  name: 'secrets',
  usage: 'secrets new-key | rotate',
  summary: 'make a key for stored secrets, or encrypt them all with the current key',
  details:
    'new-key prints a key for SECRET_KEY and changes nothing. rotate encrypts every stored secret with SECRET_KEY, also while Dwell runs: those that are not encrypted yet, and those of keys in SECRET_KEY_OLD. If it is interrupted, run it again.',
  words: { '[new-key|rotate]': 'what to do' },
  options: { '--json': 'print JSON: { newKey }, or { secrets, rewritten, key } with the id of the key' },
  examples: ['secrets new-key', 'secrets rotate'],
  runAlone({ words: [verb] }, { out, json }) {
    if (verb === 'rotate') return null;
    if (verb === undefined)
      throw badRequestAs('missing-value', 'What to do is missing. Try: secrets new-key, secrets rotate.');
    if (verb !== 'new-key')
      throw badRequestAs('unknown-name', `'${verb}' is not known. Try: new-key, rotate.`);
    const newKey = randomBytes(KEY_BYTES).toString('hex');
    json({ newKey });
    out(newKey);
    return 0;
  },
  async run(_typed, { rotateSecrets, out, json }) {
    const rotated = await rotateSecrets();
    json(rotated);
    out(`Encrypted again: ${rotated.rewritten} of ${rotated.secrets} secrets.`);
    out(`All of them are encrypted with the key ${rotated.key}.`);
    return 0;
  },
});
