# What `cmake --install` puts below the prefix. All of it finds the rest relative to itself, so that the tree may be moved.
include(GNUInstallDirs)

install(TARGETS rednova RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
foreach(flavour ${REDNOVA_MPI_FLAVOURS})
  # The same folder everywhere, lib64 and Debian's multiarch too: the program looks for it from where it lies.
  install(TARGETS rednova_mpi_${flavour} LIBRARY DESTINATION lib/rednova)
endforeach()

set(pages ${PROJECT_BINARY_DIR}/generated)
install(FILES ${pages}/rednova.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${pages}/rednova.bash DESTINATION share/bash-completion/completions RENAME rednova)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/problems DESTINATION share/rednova FILES_MATCHING PATTERN *.toml
        PATTERN *.data)
# Importable from there, and a package for pip.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/rednova DESTINATION share/rednova/python FILES_MATCHING PATTERN *.py
        PATTERN __pycache__ EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/python/pyproject.toml DESTINATION share/rednova/python)
foreach(tool lightcurve plot profile report)
  set(module ${tool})
  if(tool STREQUAL "profile")
    set(module profile_page)
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/python_tool.in ${pages}/rednova-${tool} @ONLY)
  install(PROGRAMS ${pages}/rednova-${tool} DESTINATION ${CMAKE_INSTALL_BINDIR})
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CITATION.cff ${PROJECT_SOURCE_DIR}/CHANGELOG.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
