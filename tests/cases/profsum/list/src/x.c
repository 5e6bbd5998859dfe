#include <math.h>
static double f(double x)
{	return sqrt(x) + 1; }	/* "f" */

double g(double x)
{
	double sum = 0;
	int i;

	for (i = 0; i < 1000; i++)
		/* 函数 */
		sum += f(x + i);
	return sum;
}
