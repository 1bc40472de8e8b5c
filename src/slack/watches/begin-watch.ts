import type { WatchesApi } from '../../api/watches/watches-api.ts';
import type { Message } from '../../block-kit/message.ts';
import { principalIn } from '../../model/principal.ts';
import type { WatchInput } from '../../model/watch.ts';
import type { SlackParts } from '../parts.ts';
import { knownPrincipal, resolvePrincipal } from '../people/resolve-principal.ts';
import { begunMessage } from './begun-message.ts';

/**
 * Creates a watch of an account, and says what sits too long already. Of whom the tracker does not know nobody else is
 * told: others could not tell who sends them words.
 */
export async function beginWatch(
  wish: WatchInput,
  remarks: readonly string[],
  account: string,
  parts: Pick<SlackParts, 'people' | 'accounts' | 'log'> & { readonly watches: Pick<WatchesApi, 'create'> },
): Promise<Message> {
  const principal = await resolvePrincipal(account, parts);
  const isAsAsked = wish.tells === 'owner' || (await knownPrincipal(account, parts)) !== null;
  const begun = await parts.watches.create(
    { owner: principalIn(parts.people.tenant, account), principal },
    isAsAsked ? wish : { ...wish, tells: 'owner' },
  );
  return begunMessage(begun, isAsAsked ? remarks : [...remarks, unknownRemark]);
}

const unknownRemark =
  'I do not know who you are in the tracker, so I tell nobody but you. `/tis link` says who you are; after it a new watch can tell who is in charge.';
