import { readProjectKeys } from '../../api/channels/create-channels.ts';
import { badRequestAs } from '../../model/error.ts';

/** What somebody wants of a channel's list of projects. */
export type AudienceChange =
  | { readonly verb: 'show' }
  | { readonly verb: 'reset' }
  | { readonly verb: 'allow'; readonly keys: readonly string[]; readonly withGuests: boolean }
  | { readonly verb: 'forbid'; readonly keys: readonly string[] };

/** Reads `[allow|forbid|reset] [PROJECT,PROJECT…] [with guests]`; what is wrong is a `bad-request`. */
export function readAudienceWords(typed: string): AudienceChange {
  const [, verb = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(typed.trim()) ?? [];
  switch (verb.toLowerCase()) {
    case '':
      return { verb: 'show' };
    case 'reset':
      if (rest !== '') throw badRequestAs('unknown-parameter', `'${rest}' is too much. Try: reset alone.`);
      return { verb: 'reset' };
    case 'allow': {
      const bare = rest.replace(/(^|\s+)with\s+guests$/i, '');
      return { verb: 'allow', keys: keysIn('allow', bare), withGuests: bare !== rest };
    }
    case 'forbid':
      return { verb: 'forbid', keys: keysIn('forbid', rest) };
    default:
      throw badRequestAs(
        'unknown-name',
        `'${verb}' is not known. Try: allow, forbid, reset, or nothing to see the list.`,
      );
  }
}

function keysIn(verb: string, typed: string): readonly string[] {
  const keys = readProjectKeys(typed);
  if (keys.length === 0)
    throw badRequestAs('missing-value', `The project is missing behind ${verb}. Try: keys, such as WEB.`);
  return keys;
}
