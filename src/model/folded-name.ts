/** A name as it is compared: neither case, nor blanks around it, nor how its accents are encoded tell names apart. */
export function foldedName(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

/**
 * A category's name as it is compared: besides, neither other shapes of the same letters (full width, ligatures) nor
 * characters that nobody sees tell names apart. User ids are compared more strictly: some differ in nothing else.
 */
export function foldedCategoryName(name: string): string {
  const seen = name.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
  return foldedName(seen);
}
