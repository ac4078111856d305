/* SPDX-License-Identifier: MIT
 *
 * A program that does nothing: what matters is what it was linked with.
 */
int
main(void)
{
   return 0;
}
