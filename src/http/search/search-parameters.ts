import { oneOf, text, wholeNumber } from '../../parameters/parameter.ts';

const MOST_PAGES = 1_000_000;

/** The place within a list that comes in pages. */
export const pageNumber = wholeNumber(0, MOST_PAGES)
  .default(0)
  .meta({ description: 'Which page, counted from 0.' });

/** What every search by name takes. */
export const searchParameters = {
  name: text
    .optional()
    .meta({ description: 'The name looked for, in any case; without it everything is found.' }),
  searchType: oneOf(['exact', 'contain'])
    .default('contain')
    .meta({ description: 'Whether the name is meant as a whole or as a part.' }),
  pageNumber,
  maxResults: wholeNumber(1, 100).default(10).meta({ description: 'How many a page has at most.' }),
};
