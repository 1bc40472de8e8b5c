import { randomBytes } from 'node:crypto';
import { millisecondsInHour } from 'date-fns/constants';
import { badRequest, badRequestAs } from '../../model/error.ts';
import {
  type CliParts,
  createCommand,
  durationSyntax,
  isoTime,
  type JsonOutput,
  readDuration,
} from '../cli-command.ts';

const KEY_BYTES = 32;

/** Makes a key for stored secrets, encrypts all of them with the current one, or makes a new key that signs tokens. */
export const secrets = createCommand({
  name: 'secrets',
  usage: 'secrets new-key | rotate | rotate-signing-key [--keep TIME | --revoke]',
  summary:
    'make a key for stored secrets, encrypt them all with the current key, or sign tokens with a new key',
  details:
    'new-key prints a key for SECRET_KEY and changes nothing. rotate encrypts every stored secret with SECRET_KEY, also while Dwell runs: those that are not encrypted yet, and those of keys in SECRET_KEY_OLD. If it is interrupted, run it again. rotate-signing-key makes a new key for REST tokens and links, also while Dwell runs: earlier tokens work for a while, or with --revoke no longer.',
  words: { '[new-key|rotate|rotate-signing-key]': 'what to do' },
  options: {
    '--keep TIME': `with rotate-signing-key, how long tokens signed before still work: ${durationSyntax} (default: 30d)`,
    '--revoke':
      'with rotate-signing-key, tokens and links made before stop working at once: the key has leaked',
    '--json':
      'print JSON: { newKey }; { secrets, rewritten, key } with the id of the key; or { signingKey, earlierUntil, earlierTokens } with its id',
  },
  examples: ['secrets new-key', 'secrets rotate', 'secrets rotate-signing-key --keep 7d'],
  runAlone(typed, { out, json }) {
    const [verb] = typed.words;
    const [keep, isRevoked] = [typed.value('keep'), typed.isOn('revoke')];
    if (keep !== undefined && isRevoked)
      throw badRequestAs('conflicting-values', '--keep and --revoke cannot be used together.');
    if (verb === 'rotate-signing-key') return null;
    if (keep !== undefined || isRevoked)
      throw badRequestAs('conflicting-values', '--keep and --revoke are for rotate-signing-key alone.');
    if (verb === 'rotate') return null;
    if (verb === undefined)
      throw badRequestAs('missing-value', 'What to do is missing. Try: secrets new-key, secrets rotate.');
    if (verb !== 'new-key')
      throw badRequestAs('unknown-name', `'${verb}' is not known. Try: new-key, rotate, rotate-signing-key.`);
    const newKey = randomBytes(KEY_BYTES).toString('hex');
    json({ newKey });
    out(newKey);
    return 0;
  },
  async run(typed, parts) {
    if (typed.words[0] === 'rotate-signing-key') {
      await rotateSigningKey(typed.isOn('revoke') ? 0 : readKeep(typed.value('keep') ?? '30d'), parts);
      return 0;
    }
    const { rotateSecrets, out, json } = parts;
    const rotated = await rotateSecrets();
    json(rotated);
    out(`Encrypted again: ${rotated.rewritten} of ${rotated.secrets} secrets.`);
    out(`All of them are encrypted with the key ${rotated.key}.`);
    return 0;
  },
});

/** Reads the time (ms) that earlier tokens still work; their holders need some to fetch new ones. */
function readKeep(typed: string): number {
  const keepMs = readDuration('--keep', typed, '30d');
  if (keepMs >= millisecondsInHour) return keepMs;
  throw badRequest(`--keep '${typed}' is under an hour. Try: 1h or more, or --revoke to end them at once.`);
}

async function rotateSigningKey(
  keepMs: number,
  { tokens, now, out, json }: Pick<CliParts, 'tokens' | 'now' | 'out'> & JsonOutput,
): Promise<void> {
  const inUse = (await tokens.list()).filter(({ active, expiresAt }) => active && expiresAt > now()).length;
  const { key, until } = await tokens.keys.rotate(keepMs);
  json({ signingKey: key, earlierUntil: isoTime(until), earlierTokens: inUse });
  out(`New tokens are signed with the key ${key}.`);
  const how = keepMs === 0 ? 'no longer work' : `work until ${isoTime(until)} at the latest`;
  out(`Tokens made before ${how}, ${inUse} of them in use.`);
  if (inUse > 0) out('List them: npx dwell tokens. Make new ones: npx dwell token --user NAME.');
}
