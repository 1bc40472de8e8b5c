import { fine, note, problem, warning } from '../../../cli/finding.ts';
import { sizeText } from '../../../output/size-text.ts';
import type { Check } from '../check.ts';

/** The Redis that several processes share. */
export const redisCheck: Check = {
  name: 'Redis',
  needs: ['redis'],
  async run({ config: { keyvUrl } }) {
    if (keyvUrl === null) return [note('not used (KEYV_URL is not set)')];
    const { askRedis } = await import('../../../cache/redis.ts');
    const facts = await askRedis(keyvUrl);
    if (typeof facts === 'string')
      return [problem(facts, 'Start it, or correct KEYV_URL. Dwell goes on without it.')];
    const { version, maxMemory } = facts;
    const text = `${version ?? 'it'} answers`;
    if (maxMemory === 0)
      return [
        warning(
          `${text}, and its memory has no limit.`,
          'Set maxmemory, and maxmemory-policy to allkeys-lru.',
        ),
      ];
    return [fine(maxMemory === null ? text : `${text}, with up to ${sizeText(maxMemory)}`)];
  },
};
