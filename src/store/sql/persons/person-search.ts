import type { PersonRecord, PersonTraces } from '../../person-store.ts';
import type { PersonReplacement } from '../../persons/replace-person.ts';
import type { Areas } from '../areas.ts';
import type { Engine } from '../engine.ts';

/** One way through all that is stored of a tenant, in search of one person. */
export interface PersonSearch {
  readonly engine: Engine;
  readonly areas: Areas;
  readonly tenant: string;
  readonly who: PersonReplacement;
  /** Finds the person in prose; null where no words are known. */
  readonly words: RegExp | null;
  /** True: what is found is replaced. */
  readonly isWriting: boolean;
  readonly found: PersonFindings;
  readonly onRecord: (record: PersonRecord) => Promise<void>;
}

/** Counts what is found, by place. */
export class PersonFindings {
  readonly #byPlace = new Map<string, { records: number; inText: number }>();

  add(
    place: string,
    { isRecord, isInText }: { readonly isRecord: boolean; readonly isInText: boolean },
  ): void {
    const counts = this.#byPlace.get(place) ?? { records: 0, inText: 0 };
    if (isRecord) counts.records += 1;
    if (isInText) counts.inText += 1;
    this.#byPlace.set(place, counts);
  }

  traces(): readonly PersonTraces[] {
    return [...this.#byPlace].flatMap(([place, counts]) =>
      counts.records + counts.inText === 0 ? [] : [{ place, ...counts }],
    );
  }
}

/** Returns true where a text has the person in its words. */
export function isInText({ words }: Pick<PersonSearch, 'words'>, text: string): boolean {
  return words !== null && text.search(words) >= 0;
}
