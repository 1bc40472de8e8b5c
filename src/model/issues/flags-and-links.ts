import type { FieldName } from '../directory.ts';
import type { FieldValue } from '../issue.ts';
import { foldedName } from './ids-and-names.ts';
import { splitValue } from './value-sets.ts';

/**
 * The name of Jira's flag in its languages. Cloud keeps the English one beside the translated name, and Data Center names the
 * field once, in the language it was installed in.
 */
const flagNames: ReadonlySet<string> = new Set([
  ...[
    'flagged',
    'markiert',
    'gekennzeichnet',
    'marqué',
    'avec indicateur',
    'marcado',
    'marcada',
    'sinalizado',
  ],
  ...[
    'contrassegnato',
    'segnalato',
    'gemarkeerd',
    'flaggad',
    'flagget',
    'markeret',
    'merkitty',
    'megjelölve',
  ],
  ...['oznaczone', 'oznaczono', 'oflagowane', 'označeno', 'označené', 'marcat', 'işaretlendi', 'bayraklı'],
  ...['отмечено', 'помечено', 'позначено', 'フラグ付き', 'フラグ', '플래그 지정됨', '플래그됨'],
  ...['已标记', '已標記', '已加标记', '已加旗標'],
]);

/** Returns true where a name, in any of Jira's languages, is that of the flag. */
export function isFlagName(name: string): boolean {
  return flagNames.has(foldedName(name));
}

/** Returns true where a field is the flag: by its type and name, or, if only its name is known, by that. */
export function isFlag({ name, flag }: FieldName): boolean {
  return flag ?? isFlagName(name);
}

/** The words of a link to the issue that blocks, in the languages in which Jira installs its type of link. */
const blockedByWords: readonly string[] = [
  ...['is blocked by', 'blocked by', 'wird blockiert von', 'wird blockiert durch'],
  ...['est bloqué par', 'est bloquée par', 'está bloqueado por', 'está bloqueada por', 'es bloqueado por'],
  ...['é bloqueado por', 'é bloqueada por', 'è bloccato da', 'è bloccata da', 'wordt geblokkeerd door'],
  ...['blockeras av', 'blokkeres av', 'er blokkert av', 'blokeres af', 'er blokeret af', 'on estänyt'],
  ...['jest blokowane przez', 'jest zablokowane przez', 'je blokováno', 'je blokované', 'este blocat de'],
  ...['заблокировано', 'блокируется', 'заблоковано', 'tarafından engelleniyor'],
  ...[
    'によってブロックされている',
    'によってブロックされています',
    '에 의해 차단됨',
    '被阻止',
    '被阻塞',
    '被阻擋',
  ],
];

/** Returns true where a link's words, as the field or a changelog has them, say that its issue is blocked by another. */
function saysBlockedBy(words: string): boolean {
  const text = foldedName(words);
  return blockedByWords.some((own) => text === own || text.endsWith(` ${own}`));
}

/**
 * The keys (upper case) of the issues that block, in a value of the links of an issue: "is blocked by WEB-3", in a set as well
 * as alone.
 */
export function blockersIn(links: FieldValue | null): readonly string[] {
  if (links === null) return [];
  const keys = splitValue(links).flatMap(({ id }) => {
    const at = id.lastIndexOf(' ');
    return at > 0 && saysBlockedBy(id.slice(0, at)) ? [id.slice(at + 1).toUpperCase()] : [];
  });
  return [...new Set(keys)].sort();
}
