# SPDX-License-Identifier: MIT
#
# Draws what bench_growth prints:
#    build/bench/bench_growth auto > growth.txt
#    gnuplot -e "from='growth.txt'; to='growth.png'" bench/growth.gp
set terminal pngcairo size 960,400 font "sans,9"
set output to
set multiplot layout 1,2
set logscale xy
set format x "10^{%L}"
set grid
set key left top
set ylabel "milliseconds of a frame"
set xlabel "pixels, 512 triangles"
plot from index 0 using 1:2 with linespoints title "1 thread", \
     from index 0 using 1:3 with linespoints title "2 threads"
set xlabel "triangles, 1280 by 720 pixels"
plot from index 1 using 1:2 with linespoints title "1 thread", \
     from index 1 using 1:3 with linespoints title "2 threads"
