/**
 * A picture in a page, in light or in dark as the reader prefers. GitHub and VitePress both know this element.
 *
 * @param folder relative to the page; VitePress bundles only what begins with a dot
 */
export function pictureTag(name: string, alt: string, folder: string): string {
  return `<picture>
  <source media="(prefers-color-scheme: dark)" srcset="${folder}/${name}-dark.svg">
  <img src="${folder}/${name}-light.svg" width="800" alt="${alt}">
</picture>`;
}
