/**
 * One thing that a tracker tells of itself and of us, before any issue is read. `untold` stands in the place of one that
 * it does not tell; `why` is a whole sentence.
 */
export type Introduction =
  /** Who answers: `product` as people call it, such as `Jira Cloud`, and the address people browse it at. */
  | { readonly about: 'site'; readonly product: string; readonly url: string }
  /** As whom we are known there; `email` is null where it is not told. */
  | { readonly about: 'account'; readonly name: string; readonly email: string | null }
  /** How many projects our account may browse. */
  | { readonly about: 'projects'; readonly count: number }
  /** How many issues there are, about; null where nobody tells. `wish` is the query they are chosen by; null: all. */
  | { readonly about: 'issues'; readonly count: number | null; readonly wish: string | null }
  /** Whether our account may ask what others may see: null, or why not, and what helps. */
  | { readonly about: 'sight'; readonly refusal: string | null }
  | {
      readonly about: 'untold';
      readonly what: 'account' | 'projects' | 'issues' | 'sight';
      readonly why: string;
    };

/** What is asked of a tracker beside who it is and who we are. */
export interface IntroductionWish {
  readonly issues: boolean;
  readonly sight: boolean;
}
